"""What the pages of the website need beyond mkdocs."""

import pathlib
import re


def on_page_content(html, page, config, files):
    """Lets wide tables and code scroll by themselves, also by keyboard."""
    title = re.sub(r"<[^>]+>", "", page.title or "").replace('"', "")
    count = 0

    def table(match):
        nonlocal count
        count += 1
        label = f"Table {count} of {title}"
        return f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">{match[0]}</div>'

    # Numbers stay with their units and signs.
    html = re.sub(
        r'(?<=<td style="text-align: right;">)[^<]*',
        lambda match: re.sub(r"(?<=[0-9≤≥×]) (?=[0-9×a-zµA-Z])", "\N{NO-BREAK SPACE}", match[0]), html)
    html = re.sub(r"<table>.*?</table>", table, html, flags=re.S)
    return html.replace("<pre>", '<pre tabindex="0">')


def on_post_build(config):
    """Makes the index of the search a script: a page that is opened as a file may not fetch anything."""
    folder = pathlib.Path(config.site_dir, "search")
    index = (folder / "search_index.json").read_text(encoding="utf-8")
    (folder / "index.js").write_text(f"searchIndex = {index};\n", encoding="utf-8")
    for other in folder.iterdir():
        if other.name != "index.js":
            other.unlink()
    # They would be empty, as nobody knows the address of the site.
    for name in ["sitemap.xml", "sitemap.xml.gz"]:
        pathlib.Path(config.site_dir, name).unlink(missing_ok=True)
