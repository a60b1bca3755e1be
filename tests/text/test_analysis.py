"""The analyser: what is typed meets what was written, in every script, and nothing ever raises."""

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtui.text.analysis import LONGEST_TOKEN, analyse, index_text, query_terms
from memtui.text.folding import fold_accents, folded
from memtui.text.stemming import stem
from memtui.text.stopwords import STOP_WORDS

_ODD_PIECES = (
    "a e I i s x Aa 0 12 . - _ / ' ’ # @ + & \\ : \n \t \xad \u200b \u200d \u0301 \u0307 ß æ İ ı ş ğ ç ﬁ ½ ™ Ⅷ ǆ ς "
    "й й か が か\u3099 漢 ｶﾞ 한 ᄒ ᅡ ᆫ ㅠ ชุ น้ำ 👍🏽 👩\u200d👧 🇹🇷 ❤️ كُتَّ हिन्दी न\u093c \x00 ﷺ … “ ”"
)
ODD_PIECES = st.sampled_from(_ODD_PIECES.split(" "))
ANY_TEXT = st.one_of(
    st.text(st.characters(exclude_categories=())),
    st.lists(ODD_PIECES, max_size=40).map("".join),
    st.just("\ud800 a\udfff"),
)


def tokens(text):
    return index_text(text).split()


def finds(query, text):
    """Whether anything the query asks for is among the text's tokens."""
    found = set(tokens(text))
    return any(found & set(term.score_tokens) for term in query_terms(query).terms)


def matching(word):
    (token,) = analyse(word)
    return token.score_tokens


# --- Words, accents, Turkish ---------------------------------------------------------------------


def test_a_word_gives_its_exact_and_its_matching_form():
    assert index_text("Çağrı databases") == "çağrı ~cagr databases ~databas"
    (token,) = analyse("Databases")
    assert token.exact == "databases"
    assert token.score_tokens == ("~databas",)
    assert token.shape == "word"


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("cagri", "Çağrı merkezi ısınma sorununu çözdü"),
        ("çağrı", "Çağrı merkezi ısınma sorununu çözdü"),
        ("isinma", "Çağrı merkezi ısınma sorununu çözdü"),
        ("ISI", "ısı"),
        ("ısı", "ISI"),
        ("istanbul", "İstanbul ofisi IŞIK projesini aldı"),
        ("İSTANBUL", "İstanbul ofisi IŞIK projesini aldı"),
        ("isik", "IŞIK"),
        ("ışık", "IŞIK"),
        ("ısparta", "ISPARTA gülü"),
        ("chatelier", "Le Châtelier principle notes"),
        ("moteplan", "Møteplan for Ålesund"),
        ("alesund", "Møteplan for Ålesund"),
        ("lodz", "Łódź trip"),
        ("strasse", "Straße und Größe"),
        ("grosse", "Straße und Größe"),
        ("resume", "Re\u0301sume\u0301 for nai\u0308ve cafe\u0301"),
        ("résumé", "Re\u0301sume\u0301 for nai\u0308ve cafe\u0301"),
        ("zlutoucky", "žluťoučký kůň"),
        ("نبات", "كُتَّابْ بيوت نبات"),
        ("كتاب", "كُتَّابْ بيوت نبات"),
        ("μνημη", "Μνήμη και λήθη"),
        ("ΛΌΓΟΣ", "λόγος"),
        ("aeroe thor", "Ærø Þor"),
        ("हिन्दी", "हिन्दी में"),
        ("fullwidth", "ｆｕｌｌｗｉｄｔｈ"),
        ("bigbird softhyphen", "big\u200bbird soft\xadhyphen"),
    ],
)
def test_a_word_is_found_however_it_is_spelt(query, text):
    assert finds(query, text)


def test_exact_forms_tell_dotted_and_dotless_apart():
    assert "dil" in tokens("dil dersi")
    assert "dil" not in tokens("dıl")
    assert "~dil" in tokens("dıl")


def test_accents_are_folded_only_where_the_base_is_the_same_letter():
    assert fold_accents("が") == "が"
    assert "か" not in tokens("が")
    assert index_text("हिन्दी") == "हिन्दी ~हिन्दी"
    assert fold_accents("ёлка ђ ώ ơ ő") == "елка ђ ω o o"


@pytest.mark.parametrize(
    "family",
    [
        "database databases",
        "index indexes",
        "run runs running",
        "ship shipped shipping ships",
        "decide decided decides deciding",
        "cache cached caching caches",
        "query queries queried",
        "cookie cookies",
        "use used using uses",
        "control controlled controlling",
        "supersede superseded superseding",
        "embed embeds embedded embedding",
        "api apis APIs",
        "toplantı toplantıda toplantıları toplantida toplantılar toplantıya",
        "kitap kitaplarımızdan kitabı kitapta kitabında",
        "karar kararı kararlar kararlarını kararının",
        "kullanıcı kullanıcılar kullanıcının kullanicida",
        "sunucu sunucusu sunucular sunucudan",
        "proje projenin projesi projeler projemiz",
        "güncelleme güncellemeler guncellemesi",
        "sistem sistemler sistemdeki sistemde",
        "çalışıyor çalışmak çalışarak calistigi",
        "önbellek önbelleği önbelleğin önbellekte",
    ],
)
def test_inflections_meet(family):
    assert len({matching(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    "pair",
    [
        "news new",
        "university universe",
        "plane plan",
        "note not",
        "organisation organ",
        "policy police",
        "universal universe",
        "arkadaş arka",
        "similar simi",
        "code cod",
    ],
)
def test_different_words_stay_apart(pair):
    one, other = pair.split()
    assert matching(one) != matching(other)


@pytest.mark.parametrize("word", ["redis", "news", "as", "his", "kubectl", "is", "yes", "agenda"])
def test_words_that_only_look_inflected_stay(word):
    assert stem(word) == word


@given(st.text("abcçdefgğhıijklmnoöprsştuüvyz", min_size=1, max_size=20))
def test_a_word_typed_without_diacritics_has_the_same_matching_form(word):
    assert matching(word) == matching(folded(word))
    assert len(stem(folded(word))) >= min(3, len(folded(word)))


# --- Apostrophes, compounds, identifiers ---------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("İstanbul’da", "istanbul'da istanbul ~istanbul"),
        ("don’t", "don't don ~don"),
        ("what's", "what's what ~what"),
        ("O'Brien", "o'brien o ~o brien ~brien"),
        ("users'", "users ~user"),
        ("s-search-pgvector", "s-search-pgvector s ~s search ~search pgvector ~pgvector"),
        ("i\u2011046", "i-046 i ~i 046"),
        ("foo_bar", "foo_bar foo ~foo bar ~bar"),
        ("v1.2.3", "v1.2.3 v1 2 3"),
        ("src/app.ts", "src/app.ts src ~src app ~app ts ~ts"),
        ("127.0.0.1", "127.0.0.1 127 0 0 1"),
        ("e–mail", "e-mail e ~e mail ~mail"),
        ("R&D", "r&d r ~r d ~d"),
        ("C:\\agent", "c:\\agent c ~c agent ~agent"),
        ("C++", "c++ c ~c"),
        ("C++17", "c++17 c++ c ~c 17"),
        ("C#/.NET", "c#/.net c# c ~c net ~net"),
        ("#tag, (@name) .NET", "#tag tag ~tag @name name ~name .net net ~net"),
        ("done. path/to/ ...and -5 a----b", "done ~done path/to path ~path to ~to and ~and 5 a ~a b ~b"),
        ("pg16 3eb6f2c BM25", "pg16 3eb6f2c bm25"),
        ("getUserName", "getusername ~getusernam get ~get user ~user name ~name"),
        ("HTTPServer", "httpserver ~httpserver http ~http server ~server"),
        ("OAuth2", "oauth2 o ~o auth2"),
        ("UTF8Decoder", "utf8decoder utf8 decoder ~decoder"),
        ("URLs", "urls ~url"),
        ("½ № ㎏", "1/2 1 2 no ~no kg ~kg"),
        ("Foo™ wait…what", "foo ~foo wait ~wait what ~what"),
    ],
)
def test_what_a_chunk_emits(text, expected):
    assert index_text(text) == expected


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Downloads/transcripts", "Downloads/transcripts holds the audio"),
        ("don't use agents", "don’t use agents for billing"),
        ("health.base", "health.base is the config file"),
        ("grammar::fa", "grammar::fa builds automata"),
        ("what's the budget, roughly?", "what's the budget, roughly? 40%"),
        ("40%", "what's the budget, roughly? 40%"),
        (".NET", "C++ and C# samples, .NET too, R&D"),
        ("array[0]", 'array[0] == "x" && y || z'),
        ("C:\\agent", "path is C:\\agent\\logs and ^start$"),
        ("^start$", "path is C:\\agent\\logs and ^start$"),
        ("twice", "She said “hold the line” — twice"),
        ("github", "GitHub备份脚本在凌晨两点运行"),
        ("getusername", "getUserName()"),
        ("#2303", "See JIRA-4711 and PR #2303"),
        ("1.5.5", "Upgraded to 1.5.5"),
        ("10.0.0.254", "Gateway is 10.0.0.254"),
        ("CERT_DATE", "ERR_CERT_DATE_INVALID on staging"),
        ("aa:bb:cc", "Device aa:bb:cc:dd:ee:ff"),
        ("328eaec3-18f0-4de0-b22d-491dca91622a", "id 328eaec3-18f0-4de0-b22d-491dca91622a."),
    ],
)
def test_identifiers_and_signs_are_found(query, text):
    assert finds(query, text)


@pytest.mark.parametrize("word", ["C++", "C#", "JIRA-4711", "don't", "src/app.ts", "getUserName", "#2303"])
def test_a_compound_asks_for_the_whole_first_and_then_its_parts(word):
    (term,) = query_terms(word).terms
    assert term.score_tokens[0].removeprefix("~").startswith(word.lower()[:7])
    assert term.score_tokens[1:] == tuple(dict.fromkeys(t for group in term.parts for t in group))


def test_long_tokens_are_cut_and_long_compounds_stay_linear():
    assert tokens("x" * 500) == ["x" * LONGEST_TOKEN, "~" + "x" * LONGEST_TOKEN]
    whole, *parts = tokens("/".join(["part"] * 1_000))
    assert len(whole) == LONGEST_TOKEN
    assert len(parts) == 2_000


# --- Scripts without blanks, emoji ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("投影仪", "会议室的投影仪周三送去维修"),
        ("维修", "会议室的投影仪周三送去维修"),
        ("docker 部署", "docker 部署脚本放在 ops 目录"),
        ("部署脚本", "docker 部署脚本放在 ops 目录"),
        ("歯医者", "来週の火曜日に歯医者の予約があります。猫の薬も買う"),
        ("猫", "来週の火曜日に歯医者の予約があります。猫の薬も買う"),
        ("회의", "프로젝트 회의는 금요일 오후에 있습니다"),
        ("금요일", "프로젝트 회의는 금요일 오후에 있습니다"),
        ("GitHub备份", "GitHub备份脚本在凌晨两点运行"),
        ("ประชุม", "ประชุมทีมทุกวันจันทร์"),
        ("🎉", "Launch party 🎉🚀 on Friday"),
        ("👍", "ok 👍🏽"),
        ("👩‍👧", "👩‍👧 family"),
        ("👧", "👩‍👧 family"),
        ("🇹🇷", "🇹🇷 flag"),
        ("❤", "❤️ heart"),
    ],
)
def test_a_part_of_a_run_is_found(query, text):
    assert finds(query, text)


def test_a_run_gives_characters_and_pairs_and_a_query_asks_for_pairs():
    assert index_text("会议室") == "会 会议 议 议室 室"
    assert [term.text for term in query_terms("会议室").terms] == ["会议", "议室"]
    assert [term.score_tokens for term in query_terms("猫").terms] == [("猫",)]
    assert not finds("议室", "会议")


def test_decomposed_runs_are_read_like_composed_ones_with_their_own_spans():
    text = unicodedata.normalize("NFD", "한글が")
    (run,) = analyse(text)
    assert run.tokens == ("한", "한글", "글", "글が", "が")
    assert [unicodedata.normalize("NFC", text[part.start : part.end]) for part in run.parts] == list(run.tokens)


# --- Queries -------------------------------------------------------------------------------------


def test_stop_words_go_unless_there_is_nothing_else():
    assert [term.exact for term in query_terms("the kettle on the stove").terms] == ["kettle", "stove"]
    assert [term.exact for term in query_terms("toplantıda ne için nasil what's").terms] == ["toplantıda"]
    assert [term.exact for term in query_terms("to be or").terms] == ["to", "be", "or"]
    assert all(term.is_stop for term in query_terms("to be or").terms)
    assert [term.exact for term in query_terms("not new").terms] == ["not", "new"]
    assert [term.exact for term in query_terms("su o'brien").terms] == ["su", "o'brien"]
    assert {"the", "ve", "icin", "için", "mi", "neden", "nasil"} <= STOP_WORDS


def test_repeated_terms_count_once_and_know_where_they_were_typed():
    terms = query_terms("Kettle, kettle KETTLE stove").terms
    assert [(term.text, term.start, term.end) for term in terms] == [("Kettle", 0, 6), ("stove", 22, 27)]


@pytest.mark.parametrize(
    ("query", "last"),
    [
        ("the", "the"),
        ("find the", "the"),
        ("Çağ", "cag"),
        ("foo ", None),
        ("foo.", None),
        ("src/ap", "src/ap"),
        ("C++", "c++"),
        ("getUs", "getus"),
        ("会议", None),
        ("", None),
        ("\u200b", None),
        ("foo\u200b", "foo"),
        ("find Çağ*", "cag"),
        ("foo*  ", "foo"),
        ("foo* bar", "bar"),
        ("foo* bar ", None),
        ("foo *", None),
        ("foo**", None),
        ("foo*.", None),
    ],
)
def test_the_word_being_typed(query, last):
    assert query_terms(query).last == last


@pytest.mark.parametrize(
    "query", ["", "   ", '"', '""', "'", "''", "*", "%", "_", "\t\n", "NEAR(", "\u200b", "'; --", "\x00"]
)
def test_any_text_is_a_query(query):
    assert query_terms(query).terms == () or query_terms(query).terms[0].exact in ("near",)


# --- Laws ----------------------------------------------------------------------------------------


@given(ANY_TEXT)
@example("ab\xad cd")
@example("a\u0301\u200d-\u0301b")
def test_index_text_is_what_analyse_emits_and_spans_lie_in_order(text):
    read = analyse(text)
    emitted = [token for word in read for token in word.tokens]
    assert index_text(text) == " ".join(emitted)
    assert all(token and not any(char.isspace() for char in token) for token in emitted)
    end = 0
    for word in read:
        assert end <= word.start < word.end <= len(text)
        assert all(word.start <= part.start < part.end <= word.end for part in word.parts)
        assert word.exact
        assert set(word.score_tokens) <= set(word.tokens)
        end = word.end


@given(ANY_TEXT)
def test_composed_and_decomposed_text_are_the_same(text):
    assert index_text(unicodedata.normalize("NFC", text)) == index_text(unicodedata.normalize("NFD", text))


@given(ANY_TEXT)
def test_every_word_asked_for_is_found_in_the_text_it_came_from(text):
    found = set(tokens(text))
    terms = query_terms(text).terms
    assert all(set(term.score_tokens) <= found for term in terms)
    assert len({term.score_tokens for term in terms}) == len(terms)


def test_the_analyser_brings_nothing_heavy_with_it():
    heavy = "{'numpy', 'regex', 'wcwidth', 'py_rust_stemmers', 'dataclasses'}"
    code = f"import sys, memtui.text.analysis; print(*({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
