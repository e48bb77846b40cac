import type { ComponentChildren } from 'preact';

export type Fact = readonly [name: ComponentChildren, value: ComponentChildren];

/** Leaves out the facts without a value. */
export function Facts({ of, class: className = '' }: { of: readonly Fact[]; class?: string }) {
  return (
    <dl class={`facts ${className}`}>
      {of.map(([name, value]) => value && [<dt>{name}</dt>, <dd dir="auto">{value}</dd>])}
    </dl>
  );
}
