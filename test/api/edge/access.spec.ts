import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Module, RequestMethod } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger } from '#libs/telemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiModule } from '../../../apps/api/src/api.module.js';
import { type Desk, startDesk } from '#test/support/desk.js';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

/**
 * Public routes, listed apart from the code. `POST /sign-out` is public too, but its response looks like a refusal:
 * both redirect to the sign-in page.
 */
const PUBLIC = [
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/webhooks-keys.json',
  'GET /assets/:version/:name',
  'GET /docs',
  'GET /docs/:section',
  'GET /downloads/:id',
  'GET /forgot-password',
  'GET /healthz',
  'GET /metrics',
  'GET /oauth/authorize',
  'GET /openapi.json',
  'GET /readyz',
  'GET /set-password/:token',
  'GET /sign-in',
  'POST /forgot-password',
  'POST /oauth/authorize',
  'POST /oauth/introspect',
  'POST /oauth/revoke',
  'POST /oauth/token',
  'POST /set-password/:token',
  'POST /sign-in',
  'POST /sign-in/account',
  'POST /sign-in/code',
  'POST /sign-in/recovery-code',
];

type ControllerClass = { readonly name: string; readonly prototype: Record<string, object> };

const controllers = (): ControllerClass[] =>
  [...desk.api.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as unknown as ControllerClass),
  );

function allRoutes(): string[] {
  return controllers().flatMap((controller) => {
    const { prototype } = controller;
    const base = Reflect.getMetadata('path', controller) as string;
    return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
      const method = Reflect.getMetadata('method', prototype[name]!) as RequestMethod | undefined;
      if (method === undefined) return [];
      const parts = [base, Reflect.getMetadata('path', prototype[name]!) as string];
      return [`${RequestMethod[method]} /${parts.flatMap((part) => part.split('/').filter(Boolean)).join('/')}`];
    });
  });
}

const declaredIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^export class (\w+Controller)\b/gm)].map(([, name]) => name!);

/** Checks that a request without a token or session is refused before anything is looked up. */
async function refusesStrangers(route: string): Promise<boolean> {
  const [method = '', path = ''] = route.split(' ');
  const { status, headers, body } = await desk.anonymous().send(method, path.replaceAll(/:\w+/g, '1'));
  if (path.startsWith('/v1/')) return status === 401 && headers.get('www-authenticate') === 'Bearer realm="deskwire"';
  return body?.error === 'sign_in_first' || (status === 303 && (headers.get('location') ?? '').startsWith('/sign-in'));
}

it('registers every controller in a module', () => {
  const files = readdirSync('apps/api/src', { recursive: true, encoding: 'utf8' });
  const declared = files
    .filter((file) => /\.controller\.tsx?$/.test(file))
    .flatMap((file) => declaredIn(join('apps/api/src', file)));

  const served = new Set(controllers().map(({ name }) => name));
  expect(declared.length).toBeGreaterThan(40);
  expect(declared.filter((name) => !served.has(name))).toEqual([]);
});

describe('the API without a token or session', () => {
  it('answers on public routes only', async () => {
    const routes = allRoutes();
    const open: string[] = [];
    for (const route of routes) if (!(await refusesStrangers(route))) open.push(route);

    expect(open.sort()).toEqual(PUBLIC);
    expect(routes.length).toBeGreaterThan(150);
  });
});

describe('a controller that does not declare its access', () => {
  let api: NestFastifyApplication;
  beforeAll(async () => {
    @Controller('undeclared')
    class UndeclaredController {
      @Get()
      read(): string {
        return 'seen';
      }
    }
    const product = ApiModule.forRoot(desk.settings, createLogger('api', 'silent'));
    @Module({ imports: [product], controllers: [UndeclaredController] })
    class WithUndeclared {}
    api = await NestFactory.create<NestFastifyApplication>(WithUndeclared, new FastifyAdapter(), { logger: false });
    await api.init();
  });
  afterAll(() => api.close());

  it('accepts access tokens only', async () => {
    const headers = { authorization: `Bearer ${desk.account.owner.token}` };
    const stranger = await api.inject({ url: '/undeclared' });
    const client = await api.inject({ url: '/undeclared', headers });

    expect([stranger.statusCode, stranger.body.includes('seen')]).toEqual([401, false]);
    expect([client.statusCode, client.body]).toEqual([200, 'seen']);
  });
});
