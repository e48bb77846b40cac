export interface Matcher {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

export interface Selector {
  readonly metric: string;
  readonly labels: readonly Matcher[];
}

const FUNCTIONS = new Set(
  'sum max min avg count topk rate increase histogram_quantile absent abs time clamp_min label_replace'.split(' '),
);
const WORDS = new Set('and or unless bool offset'.split(' '));

const RANGE = /\[(?:\d+(?:ms|[smhdw])|\$__rate_interval)\]/g;
const LABEL_LIST = /\b(?:by|without|on|group_left)\s*\([\w\s,]*\)/g;
/** A string, or a word with what follows it. */
const PART = /"(?:[^"\\]|\\.)*"|(?<word>[a-z_:]\w*)\s*(?<call>\()?(?:\{(?<labels>(?:[^{}"]|"(?:[^"\\]|\\.)*")*)\})?/gi;
const MATCHER = /(?<name>\w+)\s*(?<operator>=~|!~|!=|=)\s*"(?<value>(?:[^"\\]|\\.)*)"/g;

/** Returns the series of an expression, in the part of PromQL that dashboards and alerts use. */
export function selectorsIn(expr: string): Selector[] {
  if (expr.split('(').length !== expr.split(')').length) throw new Error(`A parenthesis is missing: ${expr}`);
  const found: Selector[] = [];
  for (const { groups = {} } of expr.replaceAll(RANGE, '').replaceAll(LABEL_LIST, '').matchAll(PART)) {
    const { word, call, labels = '' } = groups;
    if (word === undefined || WORDS.has(word)) continue;
    if (!call) found.push({ metric: word, labels: [...labels.matchAll(MATCHER)].map(matcherOf) });
    else if (!FUNCTIONS.has(word)) throw new Error(`Unknown function ${word}`);
  }
  return found;
}

const matcherOf = ({ groups }: RegExpMatchArray): Matcher => groups as unknown as Matcher;
