/** One part that the service needs to serve. */
export interface ReadinessProbe {
  name: string;
  /** Resolves when the part works; rejects, or stays silent beyond the deadline, when it does not. */
  check(): Promise<void>;
  /** True when reads are served without this part: its failure is shown, and does not make reads unready. */
  readonly isForWritesOnly?: boolean;
}

/** What `/health/ready` and `/health/ready/writes` answer. */
export interface Readiness {
  /** Whether reads can be served. */
  reads: boolean;
  /** Whether writes can be served, too. */
  writes: boolean;
  checks: Record<string, 'ok' | 'failing'>;
}

const PROBE_TIMEOUT_MS = 2000;

/** Asks every probe at once. The answer names the parts and nothing else: no address, no error text. */
export async function readinessOf(probes: readonly ReadinessProbe[]): Promise<Readiness> {
  const results = await Promise.all(
    probes.map(async (probe) => [probe, await works(probe)] satisfies [ReadinessProbe, boolean]),
  );
  const failing = results.flatMap(([{ isForWritesOnly = false }, isOk]) => (isOk ? [] : [isForWritesOnly]));
  return {
    reads: failing.every((isForWritesOnly) => isForWritesOnly),
    writes: failing.length === 0,
    checks: Object.fromEntries(results.map(([{ name }, isOk]) => [name, isOk ? 'ok' : 'failing'])),
  };
}

async function works(probe: ReadinessProbe): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PROBE_TIMEOUT_MS, false);
  });
  try {
    return await Promise.race([probe.check().then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
