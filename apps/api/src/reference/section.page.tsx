import type { JsonSchema } from '#libs/payloads';
import type { PageContent } from '../ui/page-response.js';
import { OperationEntry } from './operation-entry.js';
import { ReferenceFrame } from './reference-frame.js';
import type { ApiReference, Section } from './reference.js';
import { FieldTable, Prose, TypeOf, fieldsOf } from './schema-table.js';

/** All operations on one kind of record. */
export function sectionPage(reference: ApiReference, section: Section): PageContent {
  const { name, description, entries } = section;
  const contents = entries.map(({ operation }) => [operation.operationId, operation.summary] as const);
  const view = (
    <ReferenceFrame title={name} reference={reference} here={name} contents={contents}>
      <h1>{name}</h1>
      <p class="lead">{description}</p>
      {entries.map((entry) => (
        <OperationEntry key={entry.operation.operationId} entry={entry} reference={reference} />
      ))}
    </ReferenceFrame>
  );
  return { view };
}

/** What requests and answers consist of. */
export function recordsPage(reference: ApiReference): PageContent {
  const schemas = Object.entries<JsonSchema>(reference.document.components.schemas).sort(([one], [other]) =>
    one.localeCompare(other),
  );
  const shown = schemas.filter(([name]) => !name.endsWith('Form'));
  const view = (
    <ReferenceFrame title="records" reference={reference} here="records" contents={shown.map(([name]) => [name, name])}>
      <h1>records</h1>
      <p class="lead">What requests and answers consist of. New fields may be added at any time.</p>
      {shown.map(([name, schema]) => (
        <article key={name} class="operation" aria-labelledby={name}>
          <h2 id={name}>
            <a href={`#${name}`}>{name}</a>
          </h2>
          {schema.description && (
            <p>
              <Prose text={schema.description} />
            </p>
          )}
          {schema.properties ? (
            <FieldTable caption="Fields" fields={fieldsOf(schema)} marks="optional" />
          ) : (
            <p>
              <TypeOf schema={schema} />
            </p>
          )}
        </article>
      ))}
    </ReferenceFrame>
  );
  return { view };
}
