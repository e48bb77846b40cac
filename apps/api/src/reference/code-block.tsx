import type { CodeSample } from './code-samples.js';

/** Code to be copied. The script adds a button; without it, one click selects all. */
export function CodeBlock({ caption, code }: { readonly caption: string; readonly code: string }) {
  return (
    <figure class="code">
      <figcaption>{caption}</figcaption>
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}

/** One language is open at a time, in every browser that knows `details` with a name. */
export function Samples({ id, samples }: { readonly id: string; readonly samples: readonly CodeSample[] }) {
  return (
    <div class="samples">
      {samples.map(({ language, code }, index) => (
        <details key={language} name={`sample-${id}`} data-language={language} open={index === 0}>
          <summary>{language}</summary>
          <figure class="code">
            <pre tabIndex={0}>
              <code>{code}</code>
            </pre>
          </figure>
        </details>
      ))}
    </div>
  );
}
