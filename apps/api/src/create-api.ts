import { Clock, Database } from '#libs/database';
import type { Settings } from '#libs/settings';
import { LOGGER, type Logger, Metrics, NestLogger, createLogger, registerPoolGauge } from '#libs/telemetry';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { ApiModule } from './api.module.js';
import { acceptMultipart } from './http/file-uploads.js';
import { logAccess } from './http/access-log.js';
import { acceptForms, parseParameters } from './http/form-bodies.js';
import { compressPages } from './http/compression.js';
import { allowCrossOrigin } from './http/cors.js';
import { drainOnClose } from './http/draining.js';
import { addEtags } from './http/etag.js';
import { handleClientError } from './http/client-error-handler.js';
import { acceptJson } from './http/json-bodies.js';
import { AllowedMethods } from './http/allowed-methods.js';
import { ProblemFilter, sendProblem } from './http/problem.filter.js';
import { addRequestIdHeader } from './http/request-id.js';
import { rejectInvalidValues } from './http/invalid-values.js';
import { validationPipe } from './http/validation.pipe.js';

const MIB = 1024 * 1024;

/** The API as its process runs it, ready to listen. */
export async function createApi(settings: Settings): Promise<NestFastifyApplication> {
  const { module, adapter, options } = apiParts(settings);
  return configureApi(await NestFactory.create(module, adapter, { ...options, abortOnError: false }));
}

/** What Nest makes the API from. The tests make theirs from the same, with a clock that they can move. */
export function apiParts(settings: Settings) {
  const logger = createLogger('api', settings.LOG_LEVEL);
  return {
    module: ApiModule.forRoot(settings, logger),
    adapter: createServer(settings, logger),
    options: { logger: new NestLogger(logger), bodyParser: false },
  };
}

/** What every request meets, however the application was made. */
export async function configureApi(app: NestFastifyApplication): Promise<NestFastifyApplication> {
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  const logger = app.get<Logger>(LOGGER);
  const routes = new AllowedMethods().watch(server);
  app.useGlobalFilters(new ProblemFilter(logger, routes));
  app.useGlobalPipes(validationPipe());
  addRequestIdHeader(server, app.get(Clock));
  allowCrossOrigin(server);
  addEtags(server);
  compressPages(server);
  logAccess(server, logger, app.get(Metrics));
  registerPoolGauge(app.get(Metrics), app.get(Database).pool());
  acceptJson(server);
  acceptForms(server);
  await acceptMultipart(app);
  rejectInvalidValues(server);
  drainOnClose(server);
  return app;
}

/** Clients put a base that ends in a slash before a path that begins with one. */
function withoutDoubleSlashes(url: string): string {
  if (!url.startsWith('/') || !url.includes('//')) return url;
  const [path = '', ...query] = url.split('?');
  return [path.replaceAll(/\/+/g, '/'), ...query].join('?');
}

function createServer(settings: Settings, logger: Logger): FastifyAdapter {
  const options: FastifyServerOptions = {
    bodyLimit: MIB,
    requestIdHeader: false,
    trustProxy: settings.TRUSTED_PROXIES.length > 0 && [...settings.TRUSTED_PROXIES],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512, querystringParser: parseParameters },
    rewriteUrl: ({ url }) => withoutDoubleSlashes(url ?? '/'),
    clientErrorHandler: handleClientError,
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply, logger),
  };
  return new FastifyAdapter(options);
}
