import { groupsOfFour } from './format.js';

/** A whole address or digest in groups of four, to compare by eye; it copies as one word. */
export function HexText({ value }: { value: string }) {
  return (
    <code class="address" translate={false}>
      {groupsOfFour(value).map((group, at) => (
        <span key={at}>{group}</span>
      ))}
    </code>
  );
}
