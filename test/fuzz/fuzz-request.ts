import type { OpenApiSpec } from '#test/support/openapi-contract.js';
import { type ApiRoute, apiRoutes } from '#test/support/api-routes.js';
import { type Operation, operationsOf } from '#test/support/openapi-operations.js';
import { browserRequest } from './browser-requests.js';
import type { DraftedRequest, RequestDraft } from './draft.js';
import { authorizeRequest, oauthRequest } from './oauth-requests.js';
import { RAW_SHAPES } from './raw-shapes.js';
import { RequestPlan } from './request-plan.js';
import { restRequest } from './rest-requests.js';
import { type Wire, wireOf, withOtherMethod } from './wire.js';
import type { World } from './world.js';

/** `limited` is a second API with the limits of an installation. */
export type ServerName = 'api' | 'limited' | 'worker';

export interface FuzzRequest extends Omit<DraftedRequest, 'draft'> {
  readonly index: number;
  readonly server: ServerName;
  readonly wire: Wire;
  /** Set only for unmodified requests, whose answers are checked against the OpenAPI document. */
  readonly draft?: RequestDraft | undefined;
}

type DraftMaker = (plan: RequestPlan) => DraftedRequest;

interface Target {
  readonly route: string;
  readonly weight: number;
  readonly make: DraftMaker;
}

const WORKER_ROUTES: readonly ApiRoute[] = ['/healthz', '/readyz', '/metrics', '/nowhere'].map((path) => ({
  method: 'GET',
  path,
}));

const RAW_SHARE = 0.03;
const WORKER_SHARE = 0.01;
/** Limits apply to every tenth request. */
const LIMITED_EVERY = 10;

/** All routes of the product, with a request to one of them for each number. */
export class RequestMix {
  private readonly targets: readonly Target[];
  private readonly totalWeight: number;

  constructor(
    document: OpenApiSpec,
    private readonly seed: number,
  ) {
    const operations = operationsOf(document);
    this.targets = [...operations.map(restTarget), ...pagesBeside(operations).map(pageTarget)];
    this.totalWeight = this.targets.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** Each of these routes must succeed once, and refuse once. */
  get routes(): string[] {
    return this.targets.map(({ route }) => route);
  }

  request(index: number, world: World): FuzzRequest {
    const plan = new RequestPlan(this.seed, index, world);
    const server = index % LIMITED_EVERY === LIMITED_EVERY - 1 ? 'limited' : 'api';
    if (plan.choices.isLikely(RAW_SHARE)) return { ...rawRequest(plan), server };
    if (plan.choices.isLikely(WORKER_SHARE)) return written(plan, workerRequest(plan), 'worker');
    return written(plan, this.targetOf(plan).make(plan), server);
  }

  private targetOf({ choices }: RequestPlan): Target {
    let at = choices.between(0, this.totalWeight);
    return this.targets.find(({ weight }) => (at -= weight) < 0) ?? this.targets[0]!;
  }
}

function written(plan: RequestPlan, { draft, ...request }: DraftedRequest, server: ServerName): FuzzRequest {
  const sent = plan.has('method') ? withOtherMethod(draft, plan) : draft;
  const isAsItSeems = !plan.has('method') && !plan.has('wire') && !plan.has('path');
  return {
    ...request,
    index: plan.index,
    server,
    wire: wireOf(sent, plan, request.streams),
    ...(isAsItSeems && { draft: sent }),
  };
}

const restTarget = (operation: Operation): Target => ({
  route: operation.name,
  // A deleted record answers no further request, so deletions are rare.
  weight: operation.method === 'DELETE' || operation.path.endsWith('/archive') ? 2 : 10,
  make: (plan) => restRequest(plan, operation),
});

/** All routes that are no operation of `/v1`: pages, forms, OAuth, files, health. */
function pagesBeside(operations: readonly Operation[]): ApiRoute[] {
  const known = new Set(operations.map(({ name }) => name.replaceAll(/\{\w+\}/g, ':')));
  return apiRoutes().filter(({ method, path }) => !known.has(`${method} ${path.replaceAll(/:\w+/g, ':')}`));
}

/** Rare: password hashes take long, and sessions, links and records end. */
const SELDOM =
  /^POST .*\/(delete|archive|revoke|sign-in|password|:token|sign-out|close-others|forgot-password|bulk|start|off|recovery-codes)$/;
const LONG = new Set([
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/:section',
  'GET /docs/guides/:name',
  'GET /metrics',
  'GET /settings/system',
]);

function pageTarget(route: ApiRoute): Target {
  const name = `${route.method} ${route.path}`;
  const weight = SELDOM.test(name) || LONG.has(name) ? 2 : 10;
  return { route: name, weight, make: makerOf(route) };
}

function makerOf(route: ApiRoute): DraftMaker {
  if (route.path === '/oauth/authorize') return (plan) => authorizeRequest(plan, route);
  return route.path.startsWith('/oauth/') ? (plan) => oauthRequest(plan, route) : (plan) => browserRequest(plan, route);
}

function rawRequest({ choices, index, world }: RequestPlan): Omit<FuzzRequest, 'server'> {
  const { name, wire } = choices.pick(RAW_SHAPES);
  const { owner } = world.tokens;
  return { route: name, caller: 'a raw socket', account: world.accounts.ours, index, wire: wire(owner) };
}

function workerRequest(plan: RequestPlan): DraftedRequest {
  const route = plan.choices.pick(WORKER_ROUTES);
  return { ...browserRequest(plan, route), route: `worker: ${route.method} ${route.path}` };
}
