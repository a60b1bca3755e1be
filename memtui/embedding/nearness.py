"""What a cosine is worth, model by model: the same number means near in one space and nothing in another.

`background` and `floor` were measured on notes of a real project and questions about them, and on questions about
something else altogether: `background` is what a question has on average with all passages, `floor` lies where those
about something else end and few of the passages that answer would be lost.

`merge`, `review` and `review_passages` were chosen on pairs written for it, which lie with the tests together with the
check that the rates below still hold: 67 pairs that say one fact in two ways (`same`: 25 English, 22 Turkish, 20 in
both languages), 63 of one topic and another fact (`another`), 36 in which one word makes it another fact (`turned`:
a figure, a denial, a day, a name), and ten documents of three templates, each with three light edits. Cosines:

                              use-multilingual-v3       all-MiniLM-L6-v2-int8
                              min    median max         min    median max
    same, English             0.68   0.93   0.98        0.80   0.91   0.98
    same, Turkish             0.36   0.74   0.91        0.69   0.90   0.98
    same, mixed               0.34   0.69   0.88        -0.09  0.04   0.60
    another, English          0.25   0.49   0.74        0.23   0.54   0.70
    another, Turkish          0.15   0.45   0.68        0.40   0.69   0.86
    another, mixed            0.12   0.32   0.59        -0.07  0.06   0.37
    turned, English           0.69   0.88   0.97        0.53   0.88   0.99
    turned, Turkish           0.68   0.88   0.96        0.68   0.94   0.99
    documents, edited         0.96   0.98   0.99        0.97   0.99   0.99
    documents, one template   0.20   0.30   0.42        0.17   0.27   0.88

Two things follow. No cosine tells a rewording from a turned sentence, so a MERGE also needs both to agree in figures,
denials, days and opposites; of the turned pairs that do, the nearest have 0.89 and 0.95, and `merge` lies above them.
And long passages are nearer to one another than sentences whatever they say (on the notes of a real project two at
random have 0.10 below 15 words and 0.46 beyond 200), so REVIEW begins later for them: where, in a project whose change
log and documents tell much twice, one passage in five has another that near.

At these numbers, with the first model: MERGE takes none of the 99 pairs that are not the same, half of the English
rewordings, no Turkish ones, and six of ten edited documents (the edits of the others bring or take a denial or a
"last", which makes it REVIEW); REVIEW catches 90 % of `same` (100, 91 and 75 % of the three) and calls 8 % of
`another`. Of 30 pairs written after the numbers were chosen it catches 80 % (100, 80 and 60 %). With the second:
MERGE none of the 99, one English rewording in six, the same documents; REVIEW all of English `same` and none of
`another`. It was trained on English: of Turkish it sees letters rather than meaning, calls half of `another`, and
between two languages it finds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines that mean something in a space; None where they were never measured.

    Without `background` and `floor` each search measures for itself; without the others no two texts are called
    near-duplicates by meaning.
    """

    background: float | None = None
    floor: float | None = None
    merge: float | None = None
    """From here on two passages say the same, if no word turns one of them round."""
    review: float | None = None
    """From here on a sentence and a passage may say the same."""
    review_passages: float | None = None
    """From here on two long passages may say the same."""


SENTENCES = 40
"""Words below which a text counts as a sentence or two."""
LEAD = 0.02
"""By how much the nearest must lead the second: of two that are as near, neither is the one to merge with."""
NOISE = 0.12
"""Two records whose nearness differs by less may stand in either order: one other word moves a cosine by that much (the
median of `turned`, English and Turkish), whether or not it makes it another fact."""

_MEASURED = {
    "use-multilingual-v3": Nearness(0.1, 0.2, merge=0.93, review=0.6, review_passages=0.8),
    "all-MiniLM-L6-v2-int8": Nearness(0.1, 0.3, merge=0.96, review=0.7, review_passages=0.8),
}


def nearness(model_id: str) -> Nearness:
    """What is known of a model's space."""
    return _MEASURED.get(model_id, Nearness())
