import { encode } from 'uqr';
import { markup, type SafeHtml } from '../http/html-markup.js';

/** Most modules along one side; a finer picture cannot be read from a screen with every camera (version 22). */
const MAX_SIDE = 105;
/** Light modules around it that readers need (ISO/IEC 18004). */
const QUIET_ZONE = 4;
/** Bytes that certainly do not fit into `MAX_SIDE`; longer text is not even tried. */
const MAX_BYTES = 1_000;

/** A picture for a camera, as a page draws it. */
export interface QrDrawing {
  /** `viewBox` of the picture. */
  viewBox: string;
  /** `d` of the one path that draws its dark modules. */
  path: string;
}

/** The text as a picture for a camera, drawn without a script or a style; null when it would be too fine to read. */
export function qrCode(text: string, label: string): SafeHtml | null {
  const drawing = qrDrawing(text);
  if (drawing === null) return null;
  return markup`<svg role="img" aria-label="${label}" viewBox="${drawing.viewBox}" shape-rendering="crispEdges">
<path fill="#000" d="${drawing.path}"/>
</svg>`;
}

/** What `qrCode` draws, for a script that draws it itself; null when it would be too fine to read. */
export function qrDrawing(text: string): QrDrawing | null {
  if (Buffer.byteLength(text) > MAX_BYTES) return null;
  const { data, size } = encode(text, { ecc: 'L', boostEcc: false, border: 0 });
  if (size > MAX_SIDE) return null;
  const side = size + 2 * QUIET_ZONE;
  return { viewBox: `${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`, path: data.map(rowPath).join('') };
}

/** One rectangle per run of dark modules. */
function rowPath(row: readonly boolean[], y: number): string {
  const bits = row.map((dark) => (dark ? '1' : '0')).join('');
  return [...bits.matchAll(/1+/g)]
    .map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
    .join('');
}
