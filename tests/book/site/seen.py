"""What has been seen of each page and found good: what is as it was, need not be seen again.

It is kept beside the site from run to run, and in seen.txt beside this file, which is committed with the change: so
continuous integration, too, sees what has changed.  Whoever changes a sentence has its page visited closely, no other;
after a change of style or script all pages get a glance again, and where seen.txt is missing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

MOST = 6        # pages that are visited closely after a change; what changes more is a change of all, and gets a glance
OF_A_DAY = re.compile(r'<time class="built".*?</time>', re.S)
NUMBER = re.compile(r"\d[\d.,⁰¹²³⁴-⁹⁻]*")       # seconds are measured anew; another digit moves nothing on a page
ARTICLE = re.compile(r'<article class="bd-article".*</article>', re.S)


def digest(text: str) -> str:
    """A fingerprint."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Record:
    """Fingerprints of the pages of a site: of what each says, and of all that a browser makes of it."""

    def __init__(self, site: Path, folder: Path, visits: Sequence[Path] = (), committed: Path | None = None) -> None:
        self.site, self.folder, self.committed = site, folder, committed
        folder.mkdir(parents=True, exist_ok=True)
        sent = committed.read_text(encoding="utf8") if committed is not None and committed.exists() else ""
        self.sent = {page: tuple(prints) for page, *prints in map(str.split, sent.splitlines())}
        # The addresses of style sheet, script and fonts in a page have fingerprints of these.
        self.visits = "".join(path.read_text(encoding="utf8") for path in visits)

    def now(self, page: str) -> tuple[str, str]:
        """What a page says, and the page whole, with what the visits look at."""
        html = NUMBER.sub("0", OF_A_DAY.sub("", (self.site / f"{page}.html").read_text(encoding="utf8")))
        said = ARTICLE.search(html)
        return digest(said[0] if said else html), digest(html + self.visits)

    def before(self, page: str) -> tuple[str, ...]:
        """The same when it was found good, here or by whoever committed it; () of a page that has never been."""
        path = self.path(page)
        return tuple(path.read_text(encoding="utf8").split()) if path.exists() else self.sent.get(page, ())

    def path(self, page: str) -> Path:
        """Where the fingerprints of a page are kept."""
        return self.folder / page.replace("/", "-")

    def good(self, page: str) -> None:
        """Note that a page is as it should be."""
        self.path(page).write_text(" ".join(self.now(page)), encoding="utf8")

    def send(self, pages: Sequence[str]) -> None:
        """Write what is known of these pages to the file that is committed."""
        if self.committed is not None:
            known = {page: self.before(page) for page in sorted(pages)}
            lines = [f"{page} {' '.join(prints)}\n" for page, prints in known.items() if prints]
            self.committed.write_text("".join(lines), encoding="utf8")

    def to_see(self, pages: Sequence[str]) -> dict[str, str]:
        """How each of these pages is to be seen: "closely", at a "glance", or not at all, ""."""
        known = {page: (self.before(page), self.now(page)) for page in pages}
        changed = [page for page, (before, now) in known.items() if before and before[0] != now[0]]
        # Among pages that are known, a new one has changed, too.
        changed += [page for page, (before, _) in known.items() if not before and any(old for old, _ in known.values())]
        if len(changed) > MOST:
            changed = []
        return {page: "closely" if page in changed else "" if before == now else "glance"
                for page, (before, now) in known.items()}
