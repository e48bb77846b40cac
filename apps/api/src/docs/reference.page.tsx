import type { JsonSchema } from '#libs/payloads';
import type { ComponentChildren } from 'preact';
import { HtmlDocument } from '../pages/layout.js';
import type { PageContent } from '../pages/page-response.js';
import type { OpenApi } from './openapi-document.js';

/** What the page shows of an operation. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    name?: string;
    in?: string;
    required?: boolean;
    description?: string;
    $ref?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, { description?: string; $ref?: string }>>;
}

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The OpenAPI document for people: one page without scripts, to be searched by the browser. */
export function referencePage(document: OpenApi): PageContent {
  const operations = listed(document.paths);
  const events = listed(document.webhooks);
  const view = (
    <HtmlDocument title="API reference">
      <div class="reference">
        <Contents tags={document.tags.map(({ name }) => name)} />
        <main>
          <h1>API reference</h1>
          {document.info.description.split('\n\n').map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p>
            The same for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
          </p>
          {document.tags.map(({ name }) => (
            <Section key={name} name={name} operations={[...operations, ...events].filter(isOf(name))} />
          ))}
          <Schemas schemas={document.components.schemas} />
        </main>
      </div>
    </HtmlDocument>
  );
  return { view };
}

const isOf =
  (tag: string) =>
  ({ operation }: Listed): boolean =>
    operation.tags.includes(tag);

function listed(paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>): Listed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function Contents({ tags }: { readonly tags: readonly string[] }) {
  return (
    <nav aria-label="Contents">
      <ul>
        {[...tags, 'records'].map((tag) => (
          <li key={tag}>
            <a href={`#${tag}`}>{tag}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Section({ name, operations }: { readonly name: string; readonly operations: readonly Listed[] }) {
  return (
    <section aria-labelledby={name}>
      <h2 id={name}>{name}</h2>
      {operations.map((one) => (
        <OperationEntry key={one.operation.operationId} {...one} />
      ))}
    </section>
  );
}

function OperationEntry({ method, path, operation }: Listed) {
  const parameters = (operation.parameters ?? []).filter(({ name }) => name !== undefined);
  const body = operation.requestBody?.content['application/json']?.schema;
  return (
    <article id={operation.operationId}>
      <h3>
        <code>
          <b>{method}</b> {path}
        </code>
      </h3>
      <p>
        {operation.summary}. {operation.description}
      </p>
      {parameters.length > 0 && (
        <Fields caption="Parameters">
          {parameters.map(({ name, required, description }) => (
            <Field key={name} name={name!} required={required ?? false} description={description} />
          ))}
        </Fields>
      )}
      {body && <SchemaFields caption="Body" schema={body} />}
      <p class="answers">
        Answers:{' '}
        {Object.keys(operation.responses).map((status) => (
          <code key={status}>{status} </code>
        ))}
      </p>
    </article>
  );
}

function Schemas({ schemas }: { readonly schemas: Readonly<Record<string, JsonSchema>> }) {
  return (
    <section aria-labelledby="records">
      <h2 id="records">records</h2>
      {Object.entries(schemas).map(([name, schema]) => (
        <article key={name} id={`record-${name}`}>
          <h3>{name}</h3>
          {schema.description && <p>{schema.description}</p>}
          <SchemaFields caption="Fields" schema={schema} />
        </article>
      ))}
    </section>
  );
}

function SchemaFields({ caption, schema }: { readonly caption: string; readonly schema: JsonSchema }) {
  if (schema.$ref !== undefined) return <p>{typeOf(schema)}</p>;
  return (
    <Fields caption={caption}>
      {Object.entries(schema.properties ?? {}).map(([name, field]) => (
        <Field
          key={name}
          name={name}
          type={typeOf(field)}
          required={schema.required?.includes(name) ?? false}
          description={field.description}
        />
      ))}
    </Fields>
  );
}

function Fields({ caption, children }: { readonly caption: string; readonly children: ComponentChildren }) {
  return (
    <table>
      <caption>{caption}</caption>
      <tbody>{children}</tbody>
    </table>
  );
}

interface FieldProps {
  readonly name: string;
  readonly type?: string;
  readonly required: boolean;
  readonly description?: string | undefined;
}

function Field({ name, type, required, description }: FieldProps) {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td>{type}</td>
      <td>{required ? 'always' : ''}</td>
      <td>{description}</td>
    </tr>
  );
}

function typeOf({ $ref, type, enum: values, items, anyOf, oneOf }: JsonSchema): string {
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (items) return `list of ${typeOf(items)}`;
  const choices = anyOf ?? oneOf;
  if (choices) return choices.map(typeOf).join(' or ');
  return [type ?? 'anything'].flat().join(' or ');
}
