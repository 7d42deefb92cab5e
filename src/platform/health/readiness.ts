/** One part that the service needs to serve. */
export interface ReadinessProbe {
  name: string;
  /** Resolves when the part works; rejects, or stays silent beyond the deadline, when it does not. */
  check(): Promise<void>;
}

/** What `/health/ready` answers. */
export interface Readiness {
  ready: boolean;
  checks: Record<string, 'ok' | 'failing'>;
}

const PROBE_TIMEOUT_MS = 2000;

/** Asks every probe at once. The answer names the parts and nothing else: no address, no error text. */
export async function readinessOf(probes: readonly ReadinessProbe[]): Promise<Readiness> {
  const results = await Promise.all(
    probes.map(async (probe) => [probe.name, await works(probe)] satisfies [string, boolean]),
  );
  return {
    ready: results.every(([, isOk]) => isOk),
    checks: Object.fromEntries(results.map(([name, isOk]) => [name, isOk ? 'ok' : 'failing'])),
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
