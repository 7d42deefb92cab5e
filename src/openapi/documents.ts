import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express, Response } from 'express';
import { documentationPage, PAGE_SCRIPT } from './documentation-page.js';

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Files of Swagger UI that the page uses; nothing else of the package is served, and nothing from elsewhere. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;

/** Serves `/openapi.json` and, to read it, `/docs`: all from memory. */
export function mountDocuments(app: INestApplication, document: OpenAPIObject, title: string): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const json = JSON.stringify(document);
  const page = documentationPage(title);
  express.get('/openapi.json', (_request, response) => send(response, 'application/json', json));
  express.get('/docs', (_request, response) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    send(response, 'text/html; charset=utf-8', page);
  });
  express.get('/docs/page.js', (_request, response) => send(response, 'text/javascript; charset=utf-8', PAGE_SCRIPT));
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const [name, type] of Object.entries(ASSETS)) {
    const text = readFileSync(join(folder, name), 'utf8');
    express.get(`/docs/${name}`, (_request, response) => send(response, type, text));
  }
}

function send(response: Response, type: string, text: string): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
