"""Wallets that sign: any with `address` and `sign`, and the accounts of eth-account."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Protocol, Union, runtime_checkable

from eth_account.messages import encode_typed_data
from eth_account.signers.local import LocalAccount
from eth_utils.crypto import keccak

from ..verification.addresses import checksum_of
from ..verification.typed_data_hash import hash_typed_data
from .chain_node import Ask

#: Part of the estimated gas that is added, in percent, because a block may come between.
_GAS_MARGIN = 20


@runtime_checkable
class Wallet(Protocol):
    """What is asked of a wallet."""

    @property
    def address(self) -> str: ...

    def sign(self, typed_data: Mapping[str, Any]) -> str:
        """The signature of EIP-712 typed data (`domain`, `types`, `primaryType`, `message`), `0x` and hexadecimal."""
        ...

    def send(self, call: Mapping[str, Any], chain_id: int) -> str:
        """Sends a call (`to`, `data`) and returns the transaction's hash. Raises TypeError where it cannot send."""
        ...


class LocalWallet:
    """An account of eth-account. It sends through a blockchain node; without one it only signs."""

    def __init__(self, account: LocalAccount, ask: Ask | None = None) -> None:
        self._account = account
        self._ask = ask

    @property
    def address(self) -> str:
        return str(self._account.address)

    def sign(self, typed_data: Mapping[str, Any]) -> str:
        """Raises ValueError where eth-account would sign another digest than the checked one."""
        message = encode_typed_data(full_message=deepcopy(dict(typed_data)))
        digest = keccak(b"\x19" + message.version + message.header + message.body)
        if f"0x{digest.hex()}" != hash_typed_data(typed_data).digest:
            raise ValueError("The wallet reads the typed data otherwise than the checks do")
        return f"0x{bytes(self._account.sign_message(message).signature).hex()}"

    def send(self, call: Mapping[str, Any], chain_id: int) -> str:
        ask = self._ask
        if ask is None:
            raise TypeError("This wallet cannot send: give it a blockchain node, or have another send the call")
        bare = {"from": self.address, "to": call["to"], "data": call["data"]}
        base_fee = int(ask("eth_getBlockByNumber", ["latest", False]).get("baseFeePerGas", "0x0"), 16)
        tip = int(ask("eth_maxPriorityFeePerGas", []), 16)
        transaction = {
            "type": 2,
            # The pinned chain, so that the signature is good for no other, whatever the node says.
            "chainId": chain_id,
            "nonce": int(ask("eth_getTransactionCount", [self.address, "pending"]), 16),
            "to": checksum_of(call["to"]),
            "value": 0,
            "data": call["data"],
            "gas": int(ask("eth_estimateGas", [bare]), 16) * (100 + _GAS_MARGIN) // 100,
            "maxFeePerGas": 2 * base_fee + tip,
            "maxPriorityFeePerGas": tip,
        }
        signed = self._account.sign_transaction(transaction)
        return str(ask("eth_sendRawTransaction", [f"0x{bytes(signed.raw_transaction).hex()}"]))


AnyWallet = Union[Wallet, LocalAccount]


def wallet_of(wallet: AnyWallet, ask: Ask | None) -> Wallet:
    """The wallet itself, or an account of eth-account that sends through this node."""
    if isinstance(wallet, LocalAccount):
        return LocalWallet(wallet, ask)
    if isinstance(wallet, Wallet):
        return wallet
    raise TypeError("This is no known wallet")
