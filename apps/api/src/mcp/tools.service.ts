import { DomainError, InsufficientScope, InvalidField, InvalidFields, type Scope, scopesMissing } from '#libs/entities';
import type { JsonSchema } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../layers/edge/caller.js';
import { IdempotencyService } from '../layers/edge/idempotency.service.js';
import { boundedProblem } from '../layers/edge/problem.js';
import { toHttpProblem } from '../layers/edge/to-http-problem.js';
import { validateDto } from '../layers/shell/form-submission.js';
import { dtoSchema } from '../reference/index.js';
import { type Params, RpcError, isObject } from './json-rpc.js';
import { ReadingTools } from './reading.tools.js';
import type { Tool } from './tool.js';
import { WritingTools } from './writing.tools.js';

const MAX_ECHOED_CHARACTERS = 60;

@Injectable()
export class ToolsService {
  readonly tools: readonly Tool[];
  private readonly described: ReadonlyMap<Tool, object>;

  constructor(
    reading: ReadingTools,
    writing: WritingTools,
    private readonly idempotency: IdempotencyService,
  ) {
    this.tools = [...reading.all, ...writing.all];
    this.described = new Map(this.tools.map((tool) => [tool, describeTool(tool)]));
  }

  /** Only those that the scopes open. */
  list(scopes: readonly Scope[]): object[] {
    const opened = this.tools.filter((tool) => scopesMissing(scopes, tool.scopes).length === 0);
    return opened.map((tool) => this.described.get(tool)!);
  }

  /** The model reads a result and can correct its call. The client reads 403 and asks the person for the scope. */
  async call(caller: Caller, { name, arguments: given = {} }: Params): Promise<object> {
    const tool = this.tools.find((one) => one.name === name);
    if (!tool)
      throw new RpcError(
        'invalidParams',
        typeof name === 'string' ? `Unknown tool: ${shortened(name)}` : 'name must be text',
      );
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
    if (!key) return tool.run(caller, input);
    const { accountId, grantId } = caller;
    const request = { accountId, grantId, key, content: `tool ${tool.name}\n${JSON.stringify(given)}` };
    const stored = await this.idempotency.begin(request);
    if (stored) return JSON.parse(stored.body) as object;
    const work = () => tool.run(caller, input);
    return this.idempotency.run(request, work, (output) => ({
      status: 200,
      location: null,
      body: JSON.stringify(output),
    }));
  }
}

function describeTool({ name, title, description, input, takes, output: outputSchema, annotations }: Tool): object {
  const { properties = {}, required = [] } = dtoSchema(input);
  const taken = Object.fromEntries(takes.map((argument) => [argument, withoutPattern(properties[argument]!)]));
  const inputSchema = { type: 'object', properties: taken, required, additionalProperties: false };
  return { name, title, description, inputSchema, outputSchema, annotations };
}

/** Patterns are long, and models read every schema. They are checked here. */
function withoutPattern({ pattern: _pattern, items, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, ...(items && { items: withoutPattern(items) }) };
}

async function readInput(tool: Tool, given: Params): Promise<object> {
  const unknown = Object.keys(given).filter((name) => !tool.takes.includes(name));
  if (unknown.length > 0) throw new InvalidFields(unknown.map(refusalOfName));
  return validateDto(tool.input, given);
}

const refusalOfName = (name: string): InvalidField =>
  new InvalidField(shortened(name), 'unknown_field', `${shortened(name)} is no argument of this tool`);

function refusalOf(error: unknown): object {
  if (!(error instanceof DomainError)) throw error;
  const { status, error: code, detail, errors = [] } = boundedProblem(toHttpProblem(error));
  // The client should wait and repeat the request.
  if (status === 429 || status >= 500) throw error;
  return { error: code, detail, ...(errors.length > 0 && { errors }) };
}

const textOf = (value: object) => [{ type: 'text', text: JSON.stringify(value) }];

const shortened = (text: string): string => text.slice(0, MAX_ECHOED_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
