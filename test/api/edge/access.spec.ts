import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger } from '#libs/telemetry';
import { afterAll, expect, it } from 'vitest';
import { ApiModule } from '../../../apps/api/src/api.module.js';
import { Scopes } from '../../../apps/api/src/layers/oauth/required-scopes.js';
import { type ApiRoute, apiRoutes } from '#test/support/api-routes.js';
import { startDesk } from '#test/support/desk.js';

const desk = await startDesk();
afterAll(() => desk.stop());

/**
 * Public routes, listed apart from the code. `POST /sign-out` is public too, but its response looks like a refusal:
 * both redirect to the sign-in page.
 */
const PUBLIC = [
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/security.txt',
  'GET /.well-known/webhooks-keys.json',
  'GET /assets/:version/:name',
  'GET /docs',
  'GET /docs/:section',
  'GET /docs/guides/:name',
  'GET /downloads/:id',
  'GET /favicon.ico',
  'GET /forgot-password',
  'GET /healthz',
  'GET /llms.txt',
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

/** Checks that a request without a token or session is refused before anything is looked up. */
async function refusesStrangers({ method, path }: ApiRoute): Promise<boolean> {
  const { status, headers, body } = await desk.anonymous().send(method, path.replaceAll(/:\w+/g, '1'));
  if (/^\/(v1\/|mcp$|oauth\/userinfo$)/.test(path))
    return (
      status === 401 &&
      (headers.get('www-authenticate') ?? '').startsWith('Bearer realm="deskwire", resource_metadata=')
    );
  return body?.error === 'sign_in_first' || (status === 303 && (headers.get('location') ?? '').startsWith('/sign-in'));
}

it('answers without a token or session on public routes only', async () => {
  const routes = apiRoutes();
  const open: string[] = [];
  for (const route of routes) if (!(await refusesStrangers(route))) open.push(`${route.method} ${route.path}`);

  expect(open.sort()).toEqual(PUBLIC);
  expect(routes.length).toBeGreaterThan(150);
});

it('accepts only access tokens for a controller that does not declare its access', async () => {
  @Controller('undeclared')
  @Scopes()
  class UndeclaredController {
    @Get()
    read(): string {
      return 'seen';
    }
  }
  const product = ApiModule.forRoot(desk.settings, createLogger('api', 'silent'));
  @Module({ imports: [product], controllers: [UndeclaredController] })
  class WithUndeclared {}
  const options = { logger: false } as const;
  const api = await NestFactory.create<NestFastifyApplication>(WithUndeclared, new FastifyAdapter(), options);
  await api.init();
  const headers = { authorization: `Bearer ${desk.account.owner.token}` };
  const stranger = await api.inject({ url: '/undeclared' });
  const client = await api.inject({ url: '/undeclared', headers });

  expect([stranger.statusCode, stranger.body.includes('seen')]).toEqual([401, false]);
  expect([client.statusCode, client.body]).toEqual([200, 'seen']);
  await api.close();
});
