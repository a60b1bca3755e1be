"""What turns a sentence round keeps it from being taken for the same."""

from __future__ import annotations

import pytest

from memtui.cognition.turning import turning


@pytest.mark.parametrize(
    ("said", "otherwise"),
    [
        ("The port is 5433", "The port is 5434"),
        ("From 5 to 6", "From 6 to 5"),
        ("Two people sign", "Three people sign"),
        ("Restart it", "Do not restart it"),
        ("You can restart it", "You can't restart it"),
        ("It is cleared with a restart", "It is cleared without a restart"),
        ("The meeting is on Monday", "The meeting is on Thursday"),
        ("It runs before the backup", "It runs after the backup"),
        ("Dark mode is enabled", "Dark mode is disabled"),
        ("Servis yeniden başlatılır", "Servis yeniden başlatılmaz"),
        ("Servis yeniden başlatılıyor", "Servis yeniden başlatılmıyor"),
        ("Teklifi onayladı", "Teklifi onaylamadı"),
        ("Teklifi onaylamış", "Teklifi onaylamamışlar"),
        ("Dosya silinecek", "Dosya silinmeyecek"),
        ("Dosya silinmeli", "Dosya silinmemeli"),
        ("Kullanıcılar aktarabilir", "Kullanıcılar aktaramaz"),
        ("Kapatarak temizlenir", "Kapatmadan temizlenir"),
        ("Parolalı bağlantı", "Parolasız bağlantı"),
        ("Bu zorunlu", "Bu zorunlu değil"),
        ("Toplantı pazartesi", "Toplantı perşembeye"),
        ("Sözleşme ekimde biter", "Sözleşme martta biter"),
        ("Yedekten önce çalışır", "Yedekten sonra çalışır"),
    ],
)
def test_these_turn_a_sentence_round(said, otherwise):
    assert turning(said) != turning(otherwise)


@pytest.mark.parametrize(
    ("said", "again"),
    [
        ("Four hours on Mondays", "4 hours each Monday"),
        ("It never starts", "It does not start"),
        ("İki imza gerekir", "2 imza ister"),
        ("CUMARTESİ kapalı", "cumartesi kapalı"),
        ("Adamdan zamandan temmuza", "temmuz ve ormandan"),
        ("", None),
    ],
)
def test_these_do_not(said, again):
    assert turning(said) == turning(again)


def test_a_denying_ending_keeps_the_gate_from_taking_it_for_the_same(memory):
    said = "Edremit kapı servisi her büyük kurulumdan sonra gece yarısı yeniden"
    memory.remember(f"{said} başlatılır", name="first")
    written = memory.remember(f"{said} başlatılmaz", name="second", gate="refuse")
    assert [(near.name, near.verdict) for near in written.near] == [("first", "REVIEW")]
