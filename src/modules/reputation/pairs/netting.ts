/**
 * What a buyer's payments to an agent are worth for its reputation: what came back to the buyer, by payments in the other
 * direction between the two clusters, is taken off, so that money that only circulates counts for nothing.
 * @param gross base units that the buyer's cluster has paid.
 * @param returned base units of those that came back (netting.sql.ts). It may be negative until the next trust run, when a
 *   change concerned very many rows; then nothing came back.
 * @returns base units, never negative.
 */
export function netValueOf(gross: bigint, returned: bigint): bigint {
  const net = gross - (returned > 0n ? returned : 0n);
  return net > 0n ? net : 0n;
}
