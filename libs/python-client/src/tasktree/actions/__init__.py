"""Prepared actions: the gate that checks them, wallets that sign them, and what becomes of them."""
