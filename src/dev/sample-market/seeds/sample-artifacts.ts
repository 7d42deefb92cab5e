/** A text of `lines` lines under a title; long enough that a preview shows only its beginning. */
export function textOf(title: string, lines: number, line: (number: number) => string): string {
  return `${title}\n\n${Array.from({ length: lines }, (_, index) => line(index + 1)).join('\n')}\n`;
}

/** Deliveries of the sample market that are stored as files. Of other deliveries only the hash is known. */
export const USER_GUIDE = textOf('# Benutzerhandbuch Etikettendrucker', 60, (step) => {
  return `${step}. Legen Sie die Rolle ${step} ein und schließen Sie die Klappe, bis sie hörbar einrastet (Abbildung ${step}).`;
});

export const BLOG_POSTS = textOf('# Huit billets de blog', 48, (line) => {
  return `Billet ${1 + Math.floor((line - 1) / 6)}, paragraphe ${1 + ((line - 1) % 6)} : le ton reste léger, les liens restent.`;
});

export const WHITE_PAPER = textOf('# What a battery is, and why it ages', 40, (line) => {
  return `${line}. A battery is a store that leaks. Part ${line} says in short sentences where the charge goes.`;
});

export const PRICE_LIST = textOf('product,shop,price,taken_at', 100, (line) => {
  return `P-${String(line).padStart(3, '0')},shop-${1 + (line % 5)},${10 + (line % 90)}.90,2026-11-12T0${line % 8}:15:00Z`;
});
