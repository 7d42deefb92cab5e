"""Calls the market that the file named by the first argument describes, using the generated package. Exits with 1 at the first wrong answer."""

import hashlib
import json
import secrets
import sys
from datetime import datetime, timezone
from pathlib import Path

import tasktree
from tasktree.exceptions import ApiException

FACTS = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
# More tasks than all programs create together. Reading more means that the cursors lead in a circle.
TOO_MANY = 500
NOBODY_HAS_THIS = "task_00000000000000000000000000"
# A character that looks blank: valid by type and length, but refused by the service.
UNSEEN = "\u2800"


def connect(base_url: str, key: str) -> tasktree.ApiClient:
    return tasktree.ApiClient(tasktree.Configuration(host=base_url, api_key={"ApiKey": key}))


def new_key() -> str:
    return secrets.token_hex(16)


def refusal(call) -> tuple[int, "tasktree.ErrorError"]:
    try:
        call()
    except ApiException as refused:
        assert isinstance(refused.data, tasktree.Error), refused
        return refused.status, refused.data.error
    raise AssertionError("the call was not refused")


def creation(brief: str) -> tasktree.CreateTaskBody:
    budget = tasktree.MoneyBody(amount="12.5", currency="USDC")
    return tasktree.CreateTaskBody(brief=brief, budget=budget, selection_mode="manual")


def pages(reader: tasktree.ApiClient) -> None:
    tasks = tasktree.TasksApi(reader)
    ids: list[str] = []
    cursor = None
    while True:
        page = tasks.list_tasks(limit=5, cursor=cursor)
        assert len(page.data) <= 5, "a page is longer than its limit"
        ids += [task.id for task in page.data]
        cursor = page.next_page
        if cursor is None or len(ids) > TOO_MANY:
            break
    # Other programs create drafts meanwhile, but the earlier tasks are listed once each and in their order.
    assert [one for one in ids if one in FACTS["task_ids"]] == FACTS["task_ids"], ids
    expected = FACTS["open_task"]
    task = tasks.get_task(expected["id"])
    assert (task.id, task.title, task.status) == (expected["id"], expected["title"], "open"), task


def errors(reader: tasktree.ApiClient, buyer: tasktree.ApiClient) -> None:
    status, error = refusal(lambda: tasktree.TasksApi(reader).get_task(NOBODY_HAS_THIS))
    assert (status, error.code) == (404, "not_found") and error.reason, error
    status, error = refusal(lambda: tasktree.TasksApi(buyer).prepare_task_creation(new_key(), creation(UNSEEN)))
    assert (status, error.code) == (400, "invalid_body"), error
    assert [detail.path for detail in error.details or []] == ["brief"], error


def writes(buyer: tasktree.ApiClient) -> None:
    tasks = tasktree.TasksApi(buyer)
    key = new_key()
    action = tasks.prepare_task_creation(key, creation("Write a page about generated clients."))
    assert (action.kind, action.principal) == ("create_task", FACTS["buyer"]["account_id"]), action
    assert action.payload["primaryType"] == "CreateTask", action
    assert action.expires_at > datetime.now(timezone.utc), action
    again = tasks.prepare_task_creation(key, creation("Write a page about generated clients."))
    assert again.action_id == action.action_id, again
    status, _ = refusal(lambda: tasks.prepare_task_creation(key, creation("Write another page.")))
    assert status == 409, status
    # The service accepts the hash of a transaction that no chain knows, as a hint.
    body = tasktree.SubmitActionSignatureRequest(
        tasktree.TransactionSubmissionBody(transaction_hash="0x" + "ab" * 32)
    )
    hinted = tasktree.ActionsApi(buyer).submit_action_signature(action.action_id, new_key(), body)
    assert hinted.action_id == action.action_id, hinted


def hirings(buyer: tasktree.ApiClient, worker: tasktree.ApiClient) -> None:
    tasks = tasktree.TasksApi(buyer)
    manual = tasktree.ManualSelectionBody(mode="manual", agent_id=FACTS["open_task"]["agent_id"])
    for form in (manual, tasktree.AutoSelectionBody(mode="auto")):
        body = tasktree.PrepareTaskSelectionRequest(form)
        action = tasks.prepare_task_selection(FACTS["open_task"]["id"], new_key(), body)
        assert action.kind == "select_agent", action
    abandon = tasktree.NodesApi(worker).prepare_node_abandonment
    status, _ = refusal(lambda: abandon(NOBODY_HAS_THIS, "node_1", new_key()))
    assert status == 404, status


def uploads(worker: tasktree.ApiClient) -> None:
    content = secrets.token_bytes(48)
    digest = "0x" + hashlib.sha256(content).hexdigest()
    custody = tasktree.DeliveriesApi(worker).upload_artifact(digest, new_key(), content)
    assert (custody.artifact_hash, custody.bytes) == (digest, len(content)), custody


def reads(reader: tasktree.ApiClient) -> None:
    """Reads every list and every single resource. The generated models check each member against the document."""
    agents = tasktree.AgentsApi(reader).list_agents(limit=100).data
    assert agents
    reputation = tasktree.ReputationApi(reader)
    assert reputation.list_reputation(limit=100).data
    for agent in agents:
        tasktree.AgentsApi(reader).get_agent(agent.id)
        reputation.get_agent_reputation(agent.id)
    assert tasktree.QuotesApi(reader).list_quotes(limit=100).data
    assert tasktree.DeliveriesApi(reader).list_deliveries(limit=100).data
    assert tasktree.ReceiptsApi(reader).list_receipts(limit=100).data
    tasktree.EarningsApi(reader).get_earnings()
    open_task = FACTS["open_task"]["id"]
    assert tasktree.MatchesApi(reader).list_task_matches(open_task, explain=FACTS["open_task"]["agent_id"]).data
    nodes = tasktree.NodesApi(reader)
    assert [node for task_id in FACTS["task_ids"] for node in nodes.list_task_nodes(task_id).data]


def tomorrow() -> None:
    """Enumerations of answers are open and members may be added, so neither may break an existing client."""
    unknown = FACTS["tomorrow"]
    reader = connect(FACTS["tomorrow_url"], FACTS["buyer"]["read"])
    buyer = connect(FACTS["tomorrow_url"], FACTS["buyer"]["buyer"])
    tasks = tasktree.TasksApi(reader)
    assert len(tasks.list_tasks(limit=1).data) == 1
    assert tasks.get_task(FACTS["open_task"]["id"]).status == unknown
    action = tasktree.TasksApi(buyer).prepare_task_creation(new_key(), creation("Write a page about tomorrow."))
    assert action.kind == unknown, action
    _, error = refusal(lambda: tasks.get_task(NOBODY_HAS_THIS))
    assert error.code == unknown, error


def main() -> None:
    reader = connect(FACTS["base_url"], FACTS["buyer"]["read"])
    buyer = connect(FACTS["base_url"], FACTS["buyer"]["buyer"])
    worker = connect(FACTS["base_url"], FACTS["worker"]["key"])
    pages(reader)
    errors(reader, buyer)
    writes(buyer)
    hirings(buyer, worker)
    uploads(worker)
    reads(reader)
    tomorrow()


main()
