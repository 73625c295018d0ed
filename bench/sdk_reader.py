"""The openai SDK alone, reading the same streams: what anything that streams answers costs at least.

python -m bench.sdk_reader <base url> <streams> <tokens> <rate>       prints tokens per CPU second
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import uvloop
from openai import AsyncOpenAI

from bench.dripping_provider import age_of


async def read(client: AsyncOpenAI, tokens: int, rate: int, ages: list[float]) -> int:
    stream = await client.chat.completions.create(
        model="bench",
        messages=[{"role": "user", "content": f"tokens={tokens} rate={rate}"}],
        stream=True,
        stream_options={"include_usage": True},
    )
    read = 0
    async for chunk in stream:
        for choice in chunk.choices:
            if text := choice.delta.content:
                read += 1
                ages.append(age_of(text))
    return read


async def main(base_url: str, streams: int, tokens: int, rate: int) -> None:
    async with AsyncOpenAI(base_url=base_url, api_key="none") as client:
        await read(client, 100, 0, [])  # whatever is loaded at the first use
        ages: list[float] = []
        began = time.process_time()
        counts = await asyncio.gather(*(read(client, tokens, rate, ages) for _ in range(streams)))
        spent = time.process_time() - began
    if any(count != tokens for count in counts):
        raise RuntimeError("tokens are missing")
    ages.sort()
    print(json.dumps({"rate": sum(counts) / spent, "p50": ages[len(ages) // 2], "p95": ages[int(len(ages) * 0.95)]}))


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], *map(int, sys.argv[2:])))
