import type { PageContent } from '../layers/ui/page-response.js';
import type { Guide } from './guides.js';
import { type ApiReference, ReferenceFrame } from './reference.js';

export function guidePage(reference: ApiReference, { title, html, sections }: Guide): PageContent {
  const contents = sections.flatMap(({ depth, id = '', title: words }) => (depth === 2 ? [[id, words] as const] : []));
  const view = (
    <ReferenceFrame title={title} reference={reference} contents={contents}>
      <h1>{title}</h1>
      <article class="operation guide" dangerouslySetInnerHTML={{ __html: html }} />
    </ReferenceFrame>
  );
  return { view };
}
