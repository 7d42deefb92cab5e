/**
 * Does the work of a round on each thing by itself, one after the other; returns how many were done. One that fails holds up
 * no other: the first error is thrown once all were tried.
 * @param sweep resolves to false for a thing that is to stay as it is.
 * @param mostFailed after so many failures the rest is left, because what they all need may have gone away.
 */
export async function sweepEach<T>(
  things: readonly T[],
  sweep: (thing: T) => Promise<boolean>,
  mostFailed = Infinity,
): Promise<number> {
  const errors: unknown[] = [];
  let done = 0;
  for (const thing of things) {
    try {
      if (await sweep(thing)) done += 1;
    } catch (error) {
      errors.push(error);
      if (errors.length === mostFailed) break;
    }
  }
  if (errors.length > 0) throw errors[0];
  return done;
}
