import { DomainError, InsufficientScope, InvalidField, InvalidFields, type Scope, scopesMissing } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../layers/edge/caller.js';
import { IdempotencyService } from '../layers/edge/idempotency.service.js';
import { toHttpProblem } from '../layers/edge/to-http-problem.js';
import { validateDto } from '../layers/shell/form-submission.js';
import { AssistantTools, type Tool } from './assistant-tools.js';
import { type Params, RpcError, isObject } from './json-rpc.js';

@Injectable()
export class ToolsService {
  constructor(
    private readonly tools: AssistantTools,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** Only those that the scopes open. */
  list(scopes: readonly Scope[]): object[] {
    const opened = this.tools.all.filter((tool) => scopesMissing(scopes, tool.scopes).length === 0);
    return opened.map(({ listed }) => listed);
  }

  /** The model reads a result and can correct its call. The client reads 403 and asks the person for the scope. */
  async call(caller: Caller, { name, arguments: given = {} }: Params): Promise<object> {
    const tool = this.tools.all.find((one) => one.name === name);
    if (!tool) throw new RpcError('invalidParams', 'There is no such tool');
    const missing = scopesMissing(caller.scopes, tool.scopes);
    if (missing.length > 0) throw new InsufficientScope(missing);
    if (!isObject(given)) throw new RpcError('invalidParams', 'arguments must be an object');
    try {
      const output = await this.run(caller, tool, given);
      return { content: textOf(output), structuredContent: output };
    } catch (error) {
      return { content: textOf(refusalOf(error)), isError: true };
    }
  }

  /** Once for each key. */
  private async run(caller: Caller, tool: Tool, given: Params): Promise<object> {
    const input = await readInput(tool, given);
    const { idempotency_key: key } = input as { readonly idempotency_key?: string | null };
    const work = () => tool.run(caller, input);
    if (!key) return work();
    const { accountId, grantId } = caller;
    const request = { accountId, grantId, key, content: `tool ${tool.name}\n${JSON.stringify(given)}` };
    const stored = await this.idempotency.begin(request);
    if (stored) return JSON.parse(stored.body) as object;
    return this.idempotency.run(request, work, toStored);
  }
}

const toStored = (output: object) => ({ status: 200, location: null, body: JSON.stringify(output) });

async function readInput(tool: Tool, given: Params): Promise<object> {
  const unknown = Object.keys(given).filter((name) => !tool.takes.includes(name));
  if (unknown.length === 0) return validateDto(tool.input, given);
  const refusals = unknown.map(
    (name) => new InvalidField(name, 'unknown_field', `${name} is no argument of this tool`),
  );
  throw new InvalidFields(refusals);
}

function refusalOf(error: unknown): object {
  if (!(error instanceof DomainError)) throw error;
  const { status, error: code, detail, errors = [] } = toHttpProblem(error);
  // The client should wait and repeat the request.
  if (status === 429 || status >= 500) throw error;
  return { error: code, detail, ...(errors.length > 0 && { errors }) };
}

const textOf = (value: object) => [{ type: 'text', text: JSON.stringify(value) }];
