import { Clock, Database } from '#libs/database';
import type { Settings } from '#libs/settings';
import { LOGGER, type Logger, Metrics, NestLog, createLogger, samplePool } from '#libs/telemetry';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyServerOptions } from 'fastify';
import { ApiModule } from './api.module.js';
import { acceptFiles } from './http/files.js';
import { logAccess } from './http/access-log.js';
import { acceptForms, readParameters } from './http/body-forms.js';
import { compressPages } from './http/compression.js';
import { allowCrossOrigin } from './http/cors.js';
import { drainOnClose } from './http/draining.js';
import { answerEtags } from './http/etag.js';
import { refuseUnreadable } from './http/unreadable.js';
import { acceptJson } from './http/json-bodies.js';
import { KnownRoutes } from './http/known-routes.js';
import { ProblemFilter, sendProblem } from './http/problem.filter.js';
import { answerRequestId, requestId } from './http/request-id.js';
import { refuseUnstorable } from './http/unstorable.js';
import { validationPipe } from './http/validation.pipe.js';

const MIB = 1024 * 1024;

/** The API, ready to listen: the door that the process and the tests share. */
export async function createApi(settings: Settings, clock = new Clock()): Promise<NestFastifyApplication> {
  const logger = createLogger('api', settings.LOG_LEVEL);
  const adapter = createServer(settings, logger, clock);
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.with(settings, logger, clock), adapter, {
    logger: new NestLog(logger),
    bodyParser: false,
    abortOnError: false,
  });
  const server = adapter.getInstance();
  const routes = new KnownRoutes().watch(server);
  app.useGlobalFilters(new ProblemFilter(app.get(LOGGER), routes));
  app.useGlobalPipes(validationPipe());
  answerRequestId(server);
  allowCrossOrigin(server);
  answerEtags(server);
  compressPages(server);
  logAccess(server, logger, app.get(Metrics));
  samplePool(app.get(Metrics), app.get(Database).pool());
  acceptJson(server);
  acceptForms(server);
  await acceptFiles(app);
  refuseUnstorable(server);
  drainOnClose(server);
  return app;
}

function createServer(settings: Settings, logger: Logger, clock: Clock): FastifyAdapter {
  const options: FastifyServerOptions = {
    bodyLimit: MIB,
    requestIdHeader: false,
    trustProxy: settings.TRUSTED_PROXIES.length > 0 && [...settings.TRUSTED_PROXIES],
    genReqId: (request) => requestId(request, clock.now()),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512, querystringParser: readParameters },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply, logger),
  };
  return new FastifyAdapter(options);
}
