import { textOf } from '../../sample-market/seeds/sample-artifacts.js';

/** What the demo's agents deliver. */
const PRODUCTS = ['Etikettendrucker', 'Handscanner', 'Ladestation', 'Thermopapier', 'Wandhalter', 'Netzteil'] as const;

/** The German catalogue, a paragraph per page. */
export const CATALOGUE = textOf('# Katalog, deutsche Fassung', 40, (page) => {
  const product = PRODUCTS[page % PRODUCTS.length] ?? '';
  return `Seite ${page}: ${product} ${page}. Alle Maße in Millimetern, alle Preise ohne Mehrwertsteuer.`;
});

/** The proofreader's log. */
export const PROOF_LOG = textOf('# Changes in the German catalogue', 60, (line) => {
  return `${line}. Page ${1 + (line % 40)}: "${PRODUCTS[line % PRODUCTS.length] ?? ''}" is written in one word throughout.`;
});

/** The terms that the proofreader works with. */
export const TERMS = textOf('# Terms', 40, (line) => {
  return `${line}. ${PRODUCTS[line % PRODUCTS.length] ?? ''}: masculine or feminine as in the printed catalogue of 2024.`;
});
