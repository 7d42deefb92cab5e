/** What the chain $1 has said of the contracts behind the factory $2; no row for a database that does not belong to them. */
export const KNOWN_CONTRACTS = `SELECT implementation_address, usdc_address, usdc_name, usdc_version FROM chain_identity
  WHERE chain_id = $1 AND escrow_factory_address = $2 AND implementation_address IS NOT NULL`;
