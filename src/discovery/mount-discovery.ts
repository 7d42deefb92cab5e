import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express, Request, Response } from 'express';
import type { DescribedOperation } from '../modules/mcp/operations/described-operation.js';
import { ToolCatalogue } from '../modules/mcp/tools/tool-catalogue.js';
import { Environment } from '../platform/config/environment.js';
import { StaticAnswer } from '../platform/http/static-answer.js';
import { Clock } from '../platform/time/clock.js';
import { apiCatalog } from './api-catalog.js';
import { robotsText, sitemapText } from './crawler-files.js';
import { CATALOG_TYPE, discoveryLinks, DISCOVERY_PATHS, MARKDOWN_TYPE, SERVER_CARD_TYPE } from './discovery-paths.js';
import { llmsText } from './llms-text.js';
import { marketCard } from './market-card.js';
import { aiCatalog, registryEntry, serverCard } from './mcp-cards.js';
import { referenceText } from './reference-text.js';
import { securityText } from './security-text.js';
import { skillIndex, skillOf } from './skill-text.js';

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';

/**
 * For how long anybody may keep a document: minutes, because the index of skills names the digest of another one, and the
 * two must not differ for long after a deployment.
 */
const CACHED = 'public, max-age=300';

/** The documents are public, so scripts of any origin may read them. The last two are what SEP-2127 asks for. */
const OPEN_TO_ALL = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': 'Content-Type',
};

/**
 * Serves the documents by which programs find out what the service is (docs/discovery.md), from memory. All of them are made
 * from the OpenAPI document, the tools and the settings. Call it once the tools are there, and before the application is
 * initialised.
 * @param operations of that document.
 */
export function mountDiscovery(
  app: INestApplication,
  document: OpenAPIObject,
  operations: ReadonlyMap<string, DescribedOperation>,
): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const environment = app.get(Environment);
  const { baseUrl, securityContact } = environment;
  const tools = app.get(ToolCatalogue);
  const headers = { ...OPEN_TO_ALL, Link: discoveryLinks(baseUrl) };
  const answerOf = (mediaType: string, content: string | object) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    return new StaticAnswer(mediaType, text, environment.compressAnswers ? undefined : [], CACHED);
  };
  const send = (answer: StaticAnswer, request: Request, response: Response) => {
    for (const [name, value] of Object.entries(headers)) {
      // The service's CORS rule has already set its headers for listed origins.
      if (!response.hasHeader(name)) response.setHeader(name, value);
    }
    return answer.send(request, response);
  };
  const serve = (path: string, mediaType: string, content: string | object) => {
    const answer = answerOf(mediaType, content);
    express.get(path, (request, response) => send(answer, request, response));
  };

  const description = document.info.description ?? '';
  const skill = skillOf({
    environment,
    document,
    operations,
    toolsOf: (scope) => tools.listedFor([scope]).map(({ definition }) => definition.name),
  });
  const inWords = llmsText(environment, document);
  const card = serverCard(environment, description);
  serve(DISCOVERY_PATHS.llms, TEXT, inWords);
  serve(DISCOVERY_PATHS.reference, MARKDOWN_TYPE, referenceText(environment, document));
  serve(DISCOVERY_PATHS.skill, MARKDOWN_TYPE, skill.text);
  serve(DISCOVERY_PATHS.skillIndex, JSON_TYPE, skillIndex(baseUrl, skill));
  serve(DISCOVERY_PATHS.apiCatalog, CATALOG_TYPE, apiCatalog(baseUrl));
  serve(DISCOVERY_PATHS.aiCatalog, 'application/ai-catalog+json', aiCatalog(environment, skill));
  serve(DISCOVERY_PATHS.serverCard, SERVER_CARD_TYPE, card);
  serve(DISCOVERY_PATHS.serverCardOfSite, SERVER_CARD_TYPE, card);
  serve(DISCOVERY_PATHS.marketCard, JSON_TYPE, marketCard(environment, description, skill));
  serve(DISCOVERY_PATHS.registryEntry, JSON_TYPE, registryEntry(environment, description));
  serve(DISCOVERY_PATHS.robots, TEXT, robotsText(baseUrl));
  serve(DISCOVERY_PATHS.sitemap, 'application/xml', sitemapText(baseUrl));

  // The start page itself is of the pages, for people and as JSON.
  const startInMarkdown = answerOf(MARKDOWN_TYPE, inWords);
  express.get(DISCOVERY_PATHS.start, (request, response, next) => {
    response.vary('Accept');
    response.setHeader('Link', headers.Link);
    if (request.accepts(['html', 'json', 'text/markdown']) !== 'text/markdown') return next();
    return send(startInMarkdown, request, response);
  });

  if (securityContact === null) return;
  const clock = app.get(Clock);
  let made = { text: '', answer: answerOf(TEXT, '') };
  express.get(DISCOVERY_PATHS.security, (request, response) => {
    const text = securityText({ contact: securityContact, baseUrl }, clock.wallMs());
    if (text !== made.text) made = { text, answer: answerOf(TEXT, text) };
    return send(made.answer, request, response);
  });
}
