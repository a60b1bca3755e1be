"""Stop words: words a question is put together with, dropped from the query only, never from the index.

Words that carry meaning in notes stay searchable beside others: not, no, new, may, will, must, need,
help, same, used, value; değil, yok, var. So do words that are as often a name (ben, sen).
"""

from __future__ import annotations

from memtui.text.folding import fold_accents

_ENGLISH = """
a an the this that these those there here
i me my we us our ours you your yours he him his she her hers it its they them their theirs
am is are was were be been being do does did doing done has have had having
of to in on at by for from with as into onto about between through during than then so too very just also
and or but if because while
what which who whom whose when where why how
can could would should shall might let
some any all each both such other
e.g i.e etc
"""

_TURKISH = """
ve veya ya ile de da ki mi mı mu mü için gibi kadar göre diye üzere
ama fakat ancak lakin oysa çünkü eğer ise hem yani
ne neyi neye neyin nedir neler nelerdi nasıl neden niçin niye nerede nereye nereden nerde
hangi hangisi hangileri kim kime kimin kimi kaç
bu şu o bunu şunu onu buna şuna ona bunun şunun onun bunlar şunlar onlar
biz siz bana sana bize size beni seni bizi sizi benim senin bizim sizin
bir çok daha en her hiç bazı tüm bütün şey şeyi şeyler
olan olarak oldu olduğu olur olup olması idi imiş miydi mıydı mudur midir mıdır müdür
"""

_ONLY_AS_WRITTEN = frozenset({"şu", "şunu", "şuna"})
"""Words whose plain spelling is another word (su: water, sunu: talk)."""

_WRITTEN = frozenset(f"{_ENGLISH} {_TURKISH}".split())

STOP_WORDS: frozenset[str] = _WRITTEN | {fold_accents(word) for word in _WRITTEN - _ONLY_AS_WRITTEN}
"""Case-folded stop words of both languages, the Turkish ones also as typed without diacritics."""
