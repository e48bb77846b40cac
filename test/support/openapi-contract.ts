import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ERROR_CODES, FIELD_CODES } from '../../apps/api/src/reference/error-codes.js';

interface Schema {
  readonly [keyword: string]: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

interface ResponseObject {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { schema: Schema }>>;
}

/** The parts of `/openapi.json` that the tests use. */
export interface OpenApiSpec {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

export interface ObservedResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

const contracts = new Map<string, OpenApiContract>();

/** Compiling the schemas takes longer than most tests, so files of one process share them. */
export function contractOf(document: unknown): OpenApiContract {
  const text = JSON.stringify(document);
  const contract = contracts.get(text) ?? new OpenApiContract(JSON.parse(text) as OpenApiSpec);
  contracts.set(text, contract);
  return contract;
}

/** Checks responses against the document, which must describe every field. */
export class OpenApiContract {
  private readonly routes: { pattern: RegExp; path: string }[];
  private readonly ajv: Ajv2020;
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(readonly document: OpenApiSpec) {
    this.ajv = new Ajv2020({ strict: false, allErrors: true });
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.ajv);
    this.ajv.addSchema({ $id: 'document', components: withoutAdditionalProperties(document.components) as Schema });
    this.routes = Object.keys(document.paths)
      .map((path) => ({ path, pattern: patternOf(path) }))
      // A literal part precedes a parameter: /tickets/count is no ticket.
      .sort((one, other) => one.path.split('{').length - other.path.split('{').length);
  }

  /**
   * Returns the operation of a response. Throws when the document does not describe the response; wrong addresses and
   * methods are not in it.
   */
  check(told: ObservedResponse): string | undefined {
    const path = this.routes.find(({ pattern }) => pattern.test(told.path))?.path;
    const operation = path === undefined ? undefined : this.document.paths[path]?.[told.method.toLowerCase()];
    requireKnownCodes(told);
    if (!path || !operation) {
      this.checkUnknown(told);
      return undefined;
    }
    const response = this.resolve(operation.responses[told.status] ?? operation.responses['default']);
    const where = `${told.method} ${path} ${told.status}`;
    if (!response) throw new Error(`The OpenAPI document does not describe ${where}: ${JSON.stringify(told.body)}`);
    if (response.content) this.checkBody(where, response.content, told);
    else if (told.body !== undefined)
      throw new Error(`${where} has a body that the OpenAPI document does not describe`);
    return `${told.method} ${path}`;
  }

  private checkUnknown({ method, path, status }: ObservedResponse): void {
    if (!['OPTIONS', 'HEAD'].includes(method) && status !== 404 && status !== 405)
      throw new Error(`The OpenAPI document does not know ${method} ${path}`);
  }

  private checkBody(where: string, content: NonNullable<ResponseObject['content']>, told: ObservedResponse): void {
    const [type = ''] = told.contentType.split(';');
    const schema = content[type]?.schema;
    if (!schema) throw new Error(`${where} is ${type}, the OpenAPI document describes ${Object.keys(content).join()}`);
    if (told.body === undefined) return;
    const validate = this.validatorOf(`${where} ${type}`, schema);
    if (!validate(told.body)) throw new Error(`${where}: ${this.ajv.errorsText(validate.errors)}`);
  }

  private validatorOf(name: string, schema: Schema): ValidateFunction {
    const known = this.validators.get(name) ?? this.ajv.compile(withoutAdditionalProperties(schema) as Schema);
    this.validators.set(name, known);
    return known;
  }

  private resolve(response: ResponseObject | undefined): ResponseObject | undefined {
    const [, , group, name] = response?.$ref?.split('/') ?? [];
    return group && name ? this.document.components[group]?.[name] : response;
  }
}

interface ToldProblem {
  readonly error: string;
  readonly errors?: readonly { readonly code: string }[];
}

/** The page of errors explains every code, and the problem links to it. */
function requireKnownCodes({ contentType, body }: ObservedResponse): void {
  if (!contentType.startsWith('application/problem+json') || body === undefined) return;
  const { error, errors = [] } = body as ToldProblem;
  const unknown = [
    error in ERROR_CODES ? [] : [error],
    errors.map(({ code }) => code).filter((one) => !(one in FIELD_CODES)),
  ];
  if (unknown.flat().length > 0) throw new Error(`error-codes.ts does not explain ${unknown.flat().join(', ')}`);
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]*')}/?$`);

/** The document allows further fields, but the tests do not: an undescribed field is a mistake. */
function withoutAdditionalProperties(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAdditionalProperties);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([name, part]) => [
    name,
    name === '$ref' ? `document${String(part)}` : withoutAdditionalProperties(part),
  ]);
  const closes = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(entries), ...(closes && { additionalProperties: false }) } as Schema;
}
