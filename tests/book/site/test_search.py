"""The search: it finds what is meant, however it is typed, from any page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browsing import CHAPTERS, MARKS, settle

pytestmark = [*MARKS, pytest.mark.long]

# What one types, and how the first hit begins; where two are as good, either.
QUERIES = {
    "SMO": "10. Sequential minimal optimization",
    "erratum": "Errata of the sources",
    "Stützvektor": "support vector (Stützvektor)",
    "soft margin": "4. Soft margin and hinge loss|soft margin",
    "kernel trick": "5. Feature maps and the kernel trick|kernel trick",
    "hinge loss": "4. Soft margin and hinge loss|hinge loss",
    "KKT": "3. Duality and the KKT conditions",
    "Karush-Kuhn-Tucker": "3. Duality and the KKT conditions",
    "exercises SMO": "Exercises: sequential minimal optimization",
    "chapter 10": "10. Sequential",
    "15": "15. Handwritten digits: MNIST",
    "6.3": "6.3 ",
    "MNIST": "15. Handwritten digits: MNIST",
    "Schlupfvariable": "slack variable",
    "Dualitätslücke": "duality gap",
    "active set": "11. The active-set method|active set",
    "Theorem 3.1": "Theorem 3.1",
    "Gaussian kernel": "Gaussian kernel",
    "notation": "Notation",
    "bibliography": "Bibliography",
    "weak duality": "Theorem 3.1",
    "quadratic programming": "9. Quadratic programming",
    "aktive Menge": "active set",
    "Kapitel 4": "4. Soft margin and hinge loss",
    "hard margin": "2. Hard margin",
    "cross-validation": "cross-validation|13.2",
    "feature map": "5. Feature maps|feature map",
    "regularization": "regularisation",
    "random fourier features": "random features",
    "imbalanced classes": "16.3 ",
    "one class svm": "one-class machine",
    "Spielplatz": "Playground",
    "Trennlinie": "hyperplane",
}
# What people type, in two languages and with slips, and how one of the first three hits begins.
TYPED = {
    "suport vector": "support vector",
    "suppot vector machine": "support vector",
    "kernal trick": "5. Feature maps|kernel trick",
    "kernle": "kernel|6. A gallery|5. Feature|Gaussian kernel",
    "gausian kernel": "Gaussian kernel",
    "polinomial kernel": "polynomial kernel|6.2",
    "lagrangain": "3.|Lagrang",
    "lagrange multiplier": "multiplier|3.|Lagrang",
    "dualty": "3. Duality|duality",
    "soft margn": "4. Soft margin|soft margin",
    "hrad margin": "2. Hard margin",
    "hinge los": "4. Soft|hinge loss",
    "slack varable": "slack variable",
    "cross validaton": "cross-validation|13.",
    "overfiting": "13.|overfitting|6.",
    "hyperparamter": "13. Choosing",
    "mercers theorem": "8. Hilbert|Theorem 8",
    "representer theorm": "8. Hilbert|Theorem 8|representer",
    "sequental minimal optimization": "10. Sequential",
    "interior piont": "interior|9.",
    "activ set": "11. The active|active set",
    "mnist digts": "15. Handwritten",
    "one vs one": "14.|one-vs-one",
    "probabilty": "18. Regression|18.|Platt|calibration",
    "regresion": "18. Regression|18.",
    "string kernels": "7. Kernels for strings|string kernel",
    "Stützvektoren": "support vector",
    "Stuetzvektor": "support vector",
    "Kern": "kernel",
    "Kernfunktion": "kernel",
    "Merkmalsraum": "feature space",
    "Schlupfvariabel": "slack variable",
    "Dualitätslücke": "duality gap",
    "duales Problem": "dual problem",
    "Kreuzvalidirung": "cross-validation",
    "aktive Mege": "active set",
    "Trennband": "band",
    "weicher Rand": "soft margin|4. Soft",
    "Gauß-Kern": "Gaussian kernel",
    "Hyperebene": "hyperplane",
    "in fünfzehn Minuten": "Support-Vektor-Maschinen in fünfzehn",
    "cheat sheet": "Cheat sheet",
    # of which no place has all words
    "sigma too small overfitting": "13.",
    "scale features standardize": "13.|16.3 |17.",
    "maximaler Abstand": "2. Hard margin",
}


def test_search_finds_what_is_meant(browser: Any, address: str) -> None:
    tab = browser.new_page()
    tab.goto(f"{address}/search.html?q=margin")
    tab.wait_for_selector("#search-results li")
    first, three = {}, {}
    for query in (*QUERIES, *TYPED):
        tab.fill(".search-page input[type=search]", query)
        found = [text.strip() for text in tab.locator("#search-results li a").all_text_contents()]
        first[query], three[query] = (found or [""])[0], found[:3]
    texts = tab.locator("#search-results p").all_text_contents()
    tab.close()
    wrong = {query: first[query] for query, meant in QUERIES.items()
             if not first[query].startswith((*meant.split("|"),))}
    assert wrong == {}
    missed = {query: three[query] for query, meant in TYPED.items()
              if not any(hit.startswith((*meant.split("|"),)) for hit in three[query])}
    assert missed == {}
    assert len(TYPED) >= 40
    assert not [text for text in texts if re.search(r"\\\\|\$|import ", text)]


def test_search_starts_from_any_page(browser: Any, address: str) -> None:
    tab = browser.new_page()
    settle(tab, f"{address}/{CHAPTERS[0]}.html")
    tab.keyboard.press("Control+k")
    tab.keyboard.type("Dualitätslücke")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/search.html?q=*")
    assert "duality gap" in (tab.locator("#search-results li a").first.text_content() or "")
    tab.close()


def test_search_stands_where_pages_do_and_is_dark_at_night(browser: Any, address: str) -> None:
    tab = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="dark")
    places = set()
    for page in ("search", "book/glossary"):
        tab.goto(f"{address}/{page}.html")
        box = tab.locator(".bd-article h1").bounding_box()
        places.add((round(box["x"]), round(box["y"])))
    assert len(places) == 1, places
    tab.goto(f"{address}/search.html")
    paper, field, hint, muted = tab.evaluate("""() => { const field = document.querySelector('.search-page input');
        const status = document.querySelector('#search-status');
        return [getComputedStyle(document.body).backgroundColor, getComputedStyle(field).backgroundColor,
          getComputedStyle(field, '::placeholder').color, getComputedStyle(status).color];
    }""")
    assert (field, hint) == (paper, muted)
    tab.close()
