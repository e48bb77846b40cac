import { Clock, Database } from '#libs/database';
import type { Settings } from '#libs/settings';
import { LOGGER, type Logger, Metrics, NestLogger, createLogger, registerPoolGauge } from '#libs/telemetry';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyServerOptions } from 'fastify';
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
import { addRequestIdHeader, requestIdOf } from './http/request-id.js';
import { rejectInvalidValues } from './http/invalid-values.js';
import { validationPipe } from './http/validation.pipe.js';

const MIB = 1024 * 1024;

/** The API, ready to listen: the door that the process and the tests share. */
export async function createApi(settings: Settings, clock = new Clock()): Promise<NestFastifyApplication> {
  const logger = createLogger('api', settings.LOG_LEVEL);
  const adapter = createServer(settings, logger, clock);
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.forRoot(settings, logger, clock), adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  const server = adapter.getInstance();
  const routes = new AllowedMethods().watch(server);
  app.useGlobalFilters(new ProblemFilter(app.get(LOGGER), routes));
  app.useGlobalPipes(validationPipe());
  addRequestIdHeader(server);
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

function createServer(settings: Settings, logger: Logger, clock: Clock): FastifyAdapter {
  const options: FastifyServerOptions = {
    bodyLimit: MIB,
    requestIdHeader: false,
    trustProxy: settings.TRUSTED_PROXIES.length > 0 && [...settings.TRUSTED_PROXIES],
    genReqId: (request) => requestIdOf(request, clock.now()),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512, querystringParser: parseParameters },
    clientErrorHandler: handleClientError,
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply, logger),
  };
  return new FastifyAdapter(options);
}
