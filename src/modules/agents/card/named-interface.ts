/** One interface of an A2A card: where it is, and what is spoken there. */
export interface NamedInterface {
  readonly url: string;
  readonly protocolBinding: string;
  readonly protocolVersion: string;
}

/** The bindings that A2A 1.0 itself defines. Of any other one the service cannot say that A2A is spoken there. */
const BINDINGS: readonly unknown[] = ['JSONRPC', 'GRPC', 'HTTP+JSON'];
const VERSION = /^\d{1,3}\.\d{1,3}$/;

/**
 * The first interface of a card at an address, in a binding of A2A itself; null when the card names none.
 * @param card what another party has published: anything.
 * @param url normalised, as `URL.href` is.
 */
export function interfaceIn(card: unknown, url: string): NamedInterface | null {
  const interfaces: unknown = isRecord(card) ? card['supportedInterfaces'] : null;
  if (!Array.isArray(interfaces)) return null;
  for (const each of interfaces as unknown[]) {
    if (!isRecord(each)) continue;
    const { url: named, protocolBinding, protocolVersion } = each;
    if (typeof named !== 'string' || !URL.canParse(named) || new URL(named).href !== url) continue;
    if (typeof protocolBinding !== 'string' || !BINDINGS.includes(protocolBinding)) continue;
    if (typeof protocolVersion !== 'string' || !VERSION.test(protocolVersion)) continue;
    return { url, protocolBinding, protocolVersion };
  }
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
