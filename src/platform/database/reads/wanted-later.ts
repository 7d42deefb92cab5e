/**
 * What is read before it is known whether it will be wanted, so that it waits together with what decides about that. An
 * error is thrown to whoever awaits the result; when nobody does, because a check before it has refused, it is dropped.
 */
export function wantedLater<Result>(reading: Promise<Result>): Promise<Result> {
  reading.catch(() => undefined);
  return reading;
}
