import type { PageContent } from '../layers/ui/page-response.js';
import { CodeBlock, Samples, codeSamplesOf } from './code-samples.js';
import {
  ReferenceFrame,
  type Answer,
  type ApiReference,
  type Entry,
  type Operation,
  type Parameter,
  type Section,
  resolved,
} from './reference.js';
import { type Field, FieldTable, Paragraph, Prose, TypeOf, codeOf, fieldsOf, joined } from './schema-table.js';

export function sectionPage(reference: ApiReference, section: Section): PageContent {
  const { name, description, entries } = section;
  const contents = entries.map(({ operation }) => [operation.operationId, operation.summary] as const);
  const view = (
    <ReferenceFrame title={name} reference={reference} contents={contents}>
      <h1>{name}</h1>
      <p class="lead">{description}</p>
      {entries.map((entry) => (
        <OperationEntry key={entry.operation.operationId} entry={entry} reference={reference} />
      ))}
    </ReferenceFrame>
  );
  return { view };
}

/** One operation: parameters and responses on the left, samples on the right. */
function OperationEntry({ entry, reference }: { entry: Entry; reference: ApiReference }) {
  const { method, path, isEvent, operation } = entry;
  const { operationId: id, summary, description } = operation;
  const samples = isEvent ? [] : codeSamplesOf(entry, reference);
  return (
    <article class="operation" aria-labelledby={id}>
      <header>
        <h2 id={id}>
          <a href={`#${id}`}>{summary}</a>
        </h2>
        <p class="address">
          <span class={`method ${isEvent ? 'event' : method.toLowerCase()}`}>{isEvent ? 'EVENT' : method}</span>{' '}
          <code>{path}</code>
        </p>
        {description && <Paragraph text={description} />}
        {!isEvent && <Access {...operation} />}
      </header>
      <div class="takes">
        <Parameters operation={operation} reference={reference} />
        <Body operation={operation} reference={reference} isEvent={isEvent} />
        <Answers operation={operation} reference={reference} isEvent={isEvent} />
      </div>
      <div class="shows">
        {samples.length > 0 && <Samples id={id} samples={samples} />}
        <AnswerExample {...operation} />
      </div>
    </article>
  );
}

function Access({ security = [] }: Operation) {
  const ways = security.flatMap(({ oauth2 = [] }) => (oauth2.length > 0 ? [oauth2] : []));
  if (security.length === 0) return <p class="access">Needs no token.</p>;
  if (ways.length === 0) return <p class="access">Needs a token with any scope.</p>;
  const always = ways[0]!.filter((scope) => ways.every((way) => way.includes(scope)));
  const either = [...new Set(ways.flat())].filter((scope) => !always.includes(scope));
  return (
    <p class="access">
      Scope {joined(either.map(codeOf), ' or ')}
      {always.length > 0 && either.length > 0 && ', and '}
      {joined(always.map(codeOf), ' and ')}
    </p>
  );
}

interface PartProps {
  readonly operation: Operation;
  readonly reference: ApiReference;
  readonly isEvent: boolean;
}

function Parameters({ operation: { parameters = [] }, reference }: Omit<PartProps, 'isEvent'>) {
  const fields = parameters.map((one): Field => {
    const parameter = resolved<Parameter>(one, reference);
    return { ...parameter, place: parameter.in };
  });
  const at = (...places: string[]) => fields.filter(({ place }) => places.includes(place!));
  return (
    <>
      <FieldTable caption="Parameters" fields={at('path', 'query')} />
      <FieldTable caption="Headers" fields={at('header')} />
    </>
  );
}

/** The body of an event is a record, which the page of records describes. */
function Body({ operation, reference, isEvent }: PartProps) {
  const content = Object.entries(operation.requestBody?.content ?? {});
  const [, media] = content[0] ?? [];
  if (!media) return null;
  const fields = fieldsOf(resolved(media.schema, reference));
  return (
    <>
      {!isEvent && <FieldTable caption="Body" fields={fields} />}
      <p class="media">
        {content.map(([type]) => type).join(' or ')}
        {media.schema.$ref && ': '}
        {media.schema.$ref && <TypeOf schema={media.schema} />}
      </p>
    </>
  );
}

function Answers({ operation, reference, isEvent }: PartProps) {
  const answers = Object.entries(operation.responses);
  const own = answers.filter(([status, answer]) => isEvent || !('$ref' in answer) || Number(status) < 400);
  const problems = answers.filter((one) => !own.includes(one));
  return (
    <>
      <h3>{isEvent ? 'Your response' : 'Responses'}</h3>
      <ul class="answers">
        {own.map(([status, answer]) => {
          const { description, content = {} } = resolved<Answer>(answer, reference);
          const schema = Object.values(content)[0]?.schema;
          return (
            <li key={status}>
              <code>{status}</code> <Prose text={description} /> {schema?.$ref && <TypeOf schema={schema} />}
            </li>
          );
        })}
        {problems.length > 0 && (
          <li class="problems">
            {problems.map(([status]) => (
              <>
                <a key={status} href={`/docs#error-${status}`}>
                  {status}
                </a>{' '}
              </>
            ))}
          </li>
        )}
      </ul>
    </>
  );
}

function AnswerExample({ responses, 'x-example-status': recorded }: Operation) {
  const status = recorded ?? Object.keys(responses)[0]!;
  const answer = responses[status];
  const example = answer && 'content' in answer ? answer.content?.['application/json']?.example : undefined;
  if (example === undefined) return null;
  return <CodeBlock caption={`Response ${status}`} code={JSON.stringify(example, null, 2)} />;
}
