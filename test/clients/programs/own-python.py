"""Plays a job on the market of the first argument with the two programs of the README that the second one names, each of them
run as by somebody who has installed the package and copied it. Exits with 1 when one fails or the job does not end well."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tasktree import Marketplace, read_deployment

FACTS = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
README = Path(sys.argv[2]).read_text(encoding="utf-8")
PROGRAMS = dict(re.findall(r"<!-- run by a test: (\w+) -->\n+```python\n(.*?)```\n", README, re.DOTALL))
MOST_LINES = 15
SECONDS = 120
TASK = {
    "title": f"Forty pages {os.getpid()}",
    "brief": "Translate 40 pages into French.",
    "budget": {"amount": "60", "currency": "USDC"},
    "selection_mode": "manual",
    "tier": "private_curated",
}


def start(program: str, settings: dict) -> subprocess.Popen:
    who = FACTS["samples"][program]
    folder = Path(program)
    folder.mkdir()
    deployment = read_deployment(FACTS["base_url"]).to_json()
    common = {"baseUrl": FACTS["base_url"], "node": FACTS["samples"]["node"], "until": "confirmed"}
    whole = {**common, "deployment": deployment, "keys": who["keys"], **settings}
    (folder / "tasktree.json").write_text(json.dumps(whole), encoding="utf-8")
    (folder / "program.py").write_text(PROGRAMS[program], encoding="utf-8")
    environment = {**os.environ, "WALLET_KEY": who["wallet_private_key"]}
    return subprocess.Popen([sys.executable, "-s", "program.py"], cwd=folder, env=environment)


def main() -> None:
    assert sorted(PROGRAMS) == ["buyer", "worker"], PROGRAMS
    for name, text in PROGRAMS.items():
        lines = [line for line in text.split("\n") if line]
        assert len(lines) <= MOST_LINES, f"{name} has {len(lines)} lines"
    worker = Marketplace(FACTS["base_url"], keys=FACTS["samples"]["worker"]["keys"])
    buyer = Marketplace(FACTS["base_url"], keys=FACTS["samples"]["buyer"]["keys"])
    known = worker.events.list(types="agent.published,agent.updated,task.invited").take(1000)
    running = [start("worker", {"after": known[-1]["id"]}), start("buyer", {"task": TASK})]
    try:
        assert [one.wait(SECONDS) for one in running] == [0, 0]
    finally:
        for one in running:
            one.kill()
    task = next(one for one in buyer.tasks.list(role="buyer") if one["title"] == TASK["title"])
    assert task["status"] == "resolved", task
    withdrawn = worker.events.list(types="earnings.withdrawn", task_id=task["id"]).take(2)
    assert [one["data"]["amount"] for one in withdrawn] == [{"amount": "60.00", "currency": "USDC"}], withdrawn


main()
