"""A client of a Tasktree market that checks every prepared action before a wallet signs it."""

from .actions.gate import PrepareOptions
from .actions.rejection import PreparedActionRejected
from .actions.signable_action import SignableAction, SignedAction
from .actions.wallets import LocalWallet, Wallet
from .actions.watch import ActionNotExecuted
from .chain.queries import ChainQuery, chain_queries, reading_from
from .chain.reading_json import reading_from_json
from .checks.signed_call import verify_signed_call
from .checks.verify import is_signable, verify_prepared_action
from .events.webhooks import WebhookRejected, unwrap_webhook
from .http.errors import AnswerFacts, MarketError, MarketUnreachable
from .http.pages import Pages
from .marketplace import Marketplace, read_deployment
from .verification.addresses import checksum_of, escrow_address_of, is_address, same_address
from .verification.document import MISSING, ChainReading, Check, Context, Deployment, Intent, NodeReading, TreeParties
from .verification.hashing import request_digest_of, sha256_hex
from .verification.match_code import match_code
from .verification.notation import format_usdc, parse_usdc
from .verification.typed_data_hash import TypedDataHashes, hash_typed_data

__all__ = [
    "MISSING",
    "ActionNotExecuted",
    "AnswerFacts",
    "ChainQuery",
    "ChainReading",
    "Check",
    "Context",
    "Deployment",
    "Intent",
    "LocalWallet",
    "MarketError",
    "MarketUnreachable",
    "Marketplace",
    "NodeReading",
    "Pages",
    "PrepareOptions",
    "PreparedActionRejected",
    "SignableAction",
    "SignedAction",
    "TreeParties",
    "TypedDataHashes",
    "Wallet",
    "WebhookRejected",
    "chain_queries",
    "checksum_of",
    "escrow_address_of",
    "format_usdc",
    "hash_typed_data",
    "is_address",
    "is_signable",
    "match_code",
    "parse_usdc",
    "read_deployment",
    "reading_from",
    "reading_from_json",
    "request_digest_of",
    "same_address",
    "sha256_hex",
    "unwrap_webhook",
    "verify_prepared_action",
    "verify_signed_call",
]
