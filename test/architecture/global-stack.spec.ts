import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AppModule } from '../../src/app.module.js';
import { Environment } from '../../src/platform/config/environment.js';
import { ErrorFilter } from '../../src/platform/http/server/error.filter.js';
import { UnknownPageFilter } from '../../src/platform/pages/unknown-page.filter.js';
import { programFiles } from './source-files.js';

const providers = (AppModule.register(new Environment()).providers ?? []) as {
  provide: string;
  useClass?: { name: string };
  useExisting?: { name: string };
}[];
const named = (token: string) =>
  providers
    .filter(({ provide }) => provide === token)
    .map(({ useClass, useExisting }) => (useClass ?? useExisting)?.name);

it('guards run in the order of checks', () => {
  expect(named(APP_GUARD)).toEqual([
    'VersionGuard',
    'AuthenticationGuard',
    'PrincipalLimitGuard',
    'ScopeGuard',
    'InputGuard',
  ]);
});

it('one filter answers all errors, and nothing else is global', () => {
  // `UnknownPageFilter` is an `ErrorFilter` that also answers browsers at unknown paths with a page.
  expect(named(APP_FILTER)).toEqual(['UnknownPageFilter']);
  expect(UnknownPageFilter.prototype).toBeInstanceOf(ErrorFilter);
  expect(named(APP_INTERCEPTOR)).toEqual([]);
  expect(named(APP_PIPE)).toEqual([]);
  expect(Reflect.getMetadata(MODULE_METADATA.PROVIDERS, AppModule) ?? []).toEqual([]);
});

it('no other module registers something global', () => {
  const pattern = /\bAPP_(?:GUARD|FILTER|INTERCEPTOR|PIPE)\b|\.useGlobal(?:Guards|Filters|Interceptors|Pipes)\(/;
  const places = programFiles().filter(({ text }) => pattern.test(text));
  expect(places.map(({ path }) => path)).toEqual(['src/app.module.ts']);
});

it('middlewares stand in front in their order', () => {
  const setup = programFiles().find(({ path }) => path === 'src/app.setup.ts')?.text ?? '';
  expect([...setup.matchAll(/^ {2}app\.use\((\w+)\(/gm)].map(([, name]) => name)).toEqual([
    'requestContext',
    'cors',
    'compressedAnswers',
    'limitAddresses',
  ]);
});
