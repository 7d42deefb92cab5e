/** A timestamptz expression as the text that it has on the wire: UTC, to the millisecond. */
export function utcText(expression: string): string {
  return `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
