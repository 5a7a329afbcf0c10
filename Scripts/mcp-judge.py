#!/usr/bin/env python3
"""Judges 'issues mcp' with the client of the Model Context Protocol that this Python has.

Scripts/mcp-judges runs it:  mcp-judge.py VERSION PROGRAM MIRROR
"""

import asyncio
import json
import sys
from contextlib import asynccontextmanager

from mcp import StdioServerParameters

VERSION, PROGRAM, MIRROR = sys.argv[1:4]
SERVER = StdioServerParameters(command=PROGRAM, args=["mcp", "--mirror", MIRROR])
SECONDS = 30

# The newest version of the protocol that each client speaks with a handshake, and without.
HANDSHAKE = {
    "2.3.0": "2025-11-25", "1.30.0": "2025-11-25", "1.20.0": "2025-06-18",
    "1.9.4": "2025-03-26", "1.2.1": "2024-11-05",
}[VERSION]
MODERN = "2026-07-28"
MODES = (
    [("auto", MODERN), ("legacy", HANDSHAKE), (MODERN, MODERN)]
    if VERSION.startswith("2.")
    else [("handshake", HANDSHAKE)]
)


@asynccontextmanager
async def connected(mode):
    """Yields a session, and the version that was agreed on."""
    if mode == "handshake":
        from mcp import ClientSession
        from mcp.client.stdio import stdio_client

        async with stdio_client(SERVER) as (read, write):
            async with ClientSession(read, write) as session:
                result = await session.initialize()
                yield session, result.protocolVersion
    else:
        from mcp.client.client import Client

        async with Client(SERVER, mode=mode) as client:
            yield client, client.protocol_version


def require(condition, problem):
    if not condition:
        raise AssertionError(problem)


async def call(session, tool, **arguments):
    """Returns whether the answer is an error, and its only text."""
    result = await session.call_tool(tool, arguments)
    require(len(result.content) == 1, f"{tool}: {len(result.content)} blocks")
    block = result.content[0]
    require(block.type == "text", f"{tool}: a block of type {block.type}")
    failed = getattr(result, "is_error", None)
    return bool(result.isError if failed is None else failed), block.text


async def answer(session, tool, **arguments):
    failed, text = await call(session, tool, **arguments)
    require(not failed, f"{tool}: {text}")
    require(len(text) <= 8000, f"{tool}: {len(text)} characters")
    value = json.loads(text)
    names = ["asOf", "ageHours", "complete", "missing", "notice"]
    require(list(value)[:5] == names, f"{tool} begins with {list(value)[:5]}")
    return value


async def judge(mode, wanted):
    async with connected(mode) as (session, version):
        require(str(version) == wanted, f"agreed on {version}, not on {wanted}")
        tools = [tool.name for tool in (await session.list_tools()).tools]
        expected = ["search_issues", "read_issue", "related_issues", "mirror_status"]
        require(tools == expected, f"the tools are {tools}")

        mirrors = (await answer(session, "mirror_status"))["mirrors"]
        require(len(mirrors) == 1, f"{len(mirrors)} mirrors")
        repo = mirrors[0]["repo"]

        found = await answer(session, "search_issues", query="crash is:open", limit=3)
        require(len(found["rows"]) == 3, f"{len(found['rows'])} rows")
        more = await answer(
            session, "search_issues", query="crash is:open", limit=3, cursor=found["nextCursor"])
        number = found["cols"].index("number")
        shown = {row[number] for row in found["rows"]}
        require(not shown & {row[number] for row in more["rows"]}, "the second page repeats the first")

        read = await answer(session, "read_issue", repo=repo, number=min(shown))
        require("<stranger-" in read["text"], "the text has no mark")
        related = await answer(session, "related_issues", repo=repo, number=min(shown))
        require(related["rows"], "nothing is related")

        for tool, arguments, words in [
            ("read_issue", {"repo": "no/such", "number": 1}, "issues sync no/such"),
            ("search_issues", {"query": "x", "limit": 99}, "from 1 to 50"),
        ]:
            failed, text = await call(session, tool, **arguments)
            require(failed and words in text, f"{tool} {arguments}: {text}")
        # Many at once, whose answers may come in any order.
        texts = await asyncio.gather(
            *[call(session, "read_issue", repo=repo, number=n) for n in range(1, 41)])
        numbers = [json.loads(text)["number"] for failed, text in texts if not failed]
        require(numbers == list(range(1, 41)), f"answers for {numbers}")
        try:
            result = await session.call_tool("no_such_tool", {})
            failed = getattr(result, "is_error", None)
            require(result.isError if failed is None else failed, "an unknown tool isn't refused")
        except AssertionError:
            raise
        except Exception as error:  # Each version has its own type.
            require("the tools are" in str(error), f"an unknown tool: {error!r}")


def explained(error):
    """Groups of errors say only how many they are."""
    while getattr(error, "exceptions", None):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


def main():
    failures = 0
    for mode, wanted in MODES:
        try:
            asyncio.run(asyncio.wait_for(judge(mode, wanted), SECONDS))
            verdict = f"content with {wanted}"
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            failures += 1
            verdict = f"NOT content: {explained(error)}"
        print(f"mcp {VERSION:7} {mode:10} {verdict}", flush=True)
    return 1 if failures else 0


sys.exit(main())
