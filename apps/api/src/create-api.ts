import type { Server } from 'node:http';
import { Clock, Database } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import {
  EventLoopWatch,
  LOGGER,
  type Logger,
  Metrics,
  NestLogger,
  createLogger,
  registerPoolGauge,
} from '#libs/telemetry';
import { BacklogService, registerDueGauges } from '#libs/delivery';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import { ApiModule } from './api.module.js';
import { limitAddresses } from './layers/edge/address-limits.js';
import { limitWork } from './layers/edge/work-limit.js';
import { logAccess } from './layers/edge/access-log.js';
import { compressAnswers } from './layers/edge/compression.js';
import { drainOnClose } from './layers/edge/draining.js';
import { addEtags } from './layers/edge/etag.js';
import { acceptMultipart } from './layers/edge/multipart-form.js';
import { rejectInvalidValues } from './layers/edge/invalid-values.js';
import { limitBodyMemory, limitResponseMemory } from './layers/edge/memory-limits.js';
import type { SendProblem } from './layers/edge/problem.js';
import { acceptRawMail } from './layers/edge/raw-mail.js';
import { RefusalCounter } from './layers/edge/refusal-counter.js';
import { measureRequests } from './layers/edge/request-metrics.js';
import { acceptForms, acceptJson, parseParameters } from './layers/edge/request-bodies.js';
import {
  addRequestIdHeader,
  allowCrossOrigin,
  answerPreflights,
  requireHttps,
} from './layers/edge/response-headers.js';
import { checkIntervalMs, enforceTransferDeadlines } from './layers/edge/transfer-deadlines.js';
import { answerUnroutedRequests, handleClientError } from './layers/edge/unrouted-requests.js';
import { validationPipe } from './layers/edge/validation.pipe.js';
import { registerPasswordQueueMetrics } from './layers/sign-in/password-queue-metrics.js';
import { nameMetadataInChallenges } from './layers/oauth/resources.js';
import { Links } from '#libs/payloads';
import { AllowedMethods, ProblemFilter, sendProblem } from './problem.filter.js';

const MIB = 1024 * 1024;

export async function createApi(settings: Settings): Promise<NestFastifyApplication> {
  const { module, adapter, options } = apiParts(settings);
  return configureApi(await NestFactory.create(module, adapter, { ...options, abortOnError: false }));
}

/** Parts for `create`; tests build the app from them with another `Clock`. */
export function apiParts(settings: Settings) {
  const logger = createLogger('api', settings.LOG_LEVEL);
  return {
    module: ApiModule.forRoot(settings, logger),
    adapter: createAdapter(settings, logger),
    options: { logger: new NestLogger(logger), bodyParser: false },
  };
}

export async function configureApi(app: NestFastifyApplication): Promise<NestFastifyApplication> {
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  const settings = app.get<Settings>(SETTINGS_TOKEN);
  const logger = app.get<Logger>(LOGGER);
  const metrics = app.get(Metrics);
  const refusals = app.get(RefusalCounter);
  const onError: SendProblem = (error, request, reply) => sendProblem(error, request, reply, logger);
  app.useGlobalFilters(new ProblemFilter(logger, new AllowedMethods(server)));
  app.useGlobalPipes(validationPipe());
  addRequestIdHeader(server, app.get(Clock));
  requireHttps(server, settings.PUBLIC_URL);
  answerUnroutedRequests(server);
  allowCrossOrigin(server);
  // The limits come before the other hooks, so that a refused request costs nothing more.
  limitAddresses(server, { settings, refusals });
  enforceTransferDeadlines(server, { settings, refusals, sendProblem: onError });
  limitWork(server, { settings, pool: app.get(Database).pool(), refusals });
  limitBodyMemory(server, { refusals, sendProblem: onError });
  answerPreflights(server);
  nameMetadataInChallenges(server, app.get(Links).base);
  addEtags(server);
  compressAnswers(server);
  // Its `onSend` hook must be the last, because it measures what is sent.
  limitResponseMemory(server, { refusals });
  measureRequests(server, { metrics, eventLoop: app.get(EventLoopWatch) });
  logAccess(server, logger);
  registerPoolGauge(metrics, app.get(Database).pool());
  registerPasswordQueueMetrics(metrics);
  registerDueGauges(metrics, app.get(BacklogService));
  acceptJson(server);
  acceptForms(server);
  await acceptMultipart(app);
  acceptRawMail(app);
  rejectInvalidValues(server);
  drainOnClose(server);
  return app;
}

/** Some clients join a trailing and a leading slash. */
function withoutDoubleSlashes(url: string): string {
  if (!url.startsWith('/') || !url.includes('//')) return url;
  const [path = '', ...query] = url.split('?');
  return [path.replaceAll(/\/+/g, '/'), ...query].join('?');
}

const noCompiler = (): never => {
  throw new Error('no route has a schema');
};

function createAdapter(settings: Settings, logger: Logger): FastifyAdapter {
  const options: FastifyHttpOptions<Server> = {
    bodyLimit: MIB,
    requestIdHeader: false,
    trustProxy: settings.TRUSTED_PROXIES.length > 0 && [...settings.TRUSTED_PROXIES],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512, querystringParser: parseParameters },
    // No route has a schema, so Fastify need not load its compilers.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    rewriteUrl: ({ url }) => withoutDoubleSlashes(url ?? '/'),
    clientErrorHandler: handleClientError,
    // A proxy may send requests until it notices the shutdown.
    return503OnClosing: false,
    keepAliveTimeout: settings.KEEP_ALIVE_TIMEOUT_MS,
    // Uploads may take long, so the deadline for whole requests is off.
    http: {
      headersTimeout: settings.HEADERS_TIMEOUT_MS,
      requestTimeout: 0,
      // `answerUnroutedRequests` refuses requests without it.
      requireHostHeader: false,
      connectionsCheckingInterval: checkIntervalMs(settings),
    },
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply, logger),
  };
  return new FastifyAdapter(options);
}
