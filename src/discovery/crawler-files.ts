import { markup } from '../platform/http/html-markup.js';
import { publicPath } from '../platform/pages/assets/public-path.js';
import { DISCOVERY_PATHS } from './discovery-paths.js';

/**
 * Paths whose pages are for one person, or open by a link that is a secret. `/v1` and `/mcp` are not among them: programs
 * that act for people keep to this file, too, and are meant to call them.
 */
const PERSONAL = ['/account', '/oauth/', '/sign/', '/previews/'];

/** What a search finds something at. */
const FOUND = [
  DISCOVERY_PATHS.start,
  '/docs',
  DISCOVERY_PATHS.llms,
  DISCOVERY_PATHS.reference,
  DISCOVERY_PATHS.skill,
  '/openapi.json',
  '/asyncapi.json',
];

/**
 * `/robots.txt` (RFC 9309) with the content signals of contentsignals.org. All three are `yes`: what a crawler reaches is
 * the description of an open program. What users wrote is shown to nobody without a credential.
 */
export function robotsText(baseUrl: string): string {
  return [
    'User-agent: *',
    'Content-Signal: search=yes, ai-input=yes, ai-train=yes',
    `Allow: ${publicPath(baseUrl, '/')}`,
    ...PERSONAL.map((path) => `Disallow: ${publicPath(baseUrl, path)}`),
    '',
    `Sitemap: ${baseUrl}${DISCOVERY_PATHS.sitemap}`,
    '',
  ].join('\n');
}

/** `/sitemap.xml` (sitemaps.org 0.9). Without times: a document changes when the service is deployed anew. */
export function sitemapText(baseUrl: string): string {
  const entries = FOUND.map((path) => markup`<url><loc>${baseUrl + path}</loc></url>\n`);
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries}</urlset>
`.text;
}
