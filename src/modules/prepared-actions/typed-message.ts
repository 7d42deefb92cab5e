/** Members of a typed message as they were stored. */
export type MessageMembers = Readonly<Record<string, unknown>>;

/** The message of a stored payload. Throws TypeError when the payload is not typed data. */
export function messageOf({ message }: Readonly<Record<string, unknown>>): MessageMembers {
  if (typeof message !== 'object' || message === null) throw new TypeError('The payload has no message');
  return Object.fromEntries(Object.entries<unknown>({ ...message }));
}

/** An unsigned integer member of a typed message. Throws TypeError when it is absent or not one. */
export function readUint(message: MessageMembers, name: string): bigint {
  const value = message[name];
  if (typeof value !== 'string' || !/^[0-9]+$/.test(value)) throw new TypeError(`The member ${name} is not a uint`);
  return BigInt(value);
}
