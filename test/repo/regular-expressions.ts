import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';

export interface FoundPattern {
  readonly source: string;
  readonly flags: string;
  readonly places: readonly string[];
}

/** Returns each regular expression of the folders once, without those of tests. */
export function regularExpressionsOf(folders: readonly string[]): FoundPattern[] {
  const found = new Map<string, FoundPattern>();
  for (const file of folders.flatMap(sourcesOf)) {
    for (const { source, flags, places } of regularExpressionsIn(file, readFileSync(file, 'utf8'))) {
      const key = `/${source}/${flags}`;
      found.set(key, { source, flags, places: [...(found.get(key)?.places ?? []), ...places] });
    }
  }
  return [...found.values()];
}

const sourcesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|m?js)$/.test(file) && !file.includes('.spec.'))
    .map((file) => join(folder, file));

/** Finds literals and calls of `RegExp` with constants of the same file. */
export function regularExpressionsIn(file: string, text: string): FoundPattern[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: FoundPattern[] = [];
  const visit = (node: ts.Node): void => {
    const pattern = patternOf(node, tree);
    if (pattern) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      found.push({ source: pattern.source, flags: pattern.flags, places: [`${file}:${line + 1}`] });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function patternOf(node: ts.Node, tree: ts.SourceFile): RegExp | null {
  if (ts.isRegularExpressionLiteral(node)) return evaluate(node, tree) as RegExp;
  const called = ts.isNewExpression(node) || ts.isCallExpression(node) ? node.expression : null;
  return called && /^(globalThis\.)?RegExp$/.test(called.getText()) ? (evaluate(node, tree) as RegExp) : null;
}

/** Throws for a pattern that is only known at run time, because it cannot be checked. */
function evaluate(node: ts.Node, tree: ts.SourceFile): unknown {
  const named = constantsFor(node, tree);
  const constants = tree.statements.filter((statement) => named.has(statement));
  const program = [...constants.map((constant) => constant.getText().replace(/^export /, '')), `(${node.getText()})`];
  try {
    return runInNewContext(ts.transpile(program.join('\n')));
  } catch (error) {
    throw new Error(`${tree.fileName}: ${node.getText()} is not made of constants`, { cause: error });
  }
}

/** Returns the constants of the file that an expression uses, directly or through others. */
function constantsFor(node: ts.Node, tree: ts.SourceFile, found = new Set<ts.Statement>()): Set<ts.Statement> {
  const visit = (inner: ts.Node): void => {
    const constant = ts.isIdentifier(inner) ? constantOf(inner.text, tree) : undefined;
    if (constant && !found.has(constant)) constantsFor(constant, tree, found.add(constant));
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return found;
}

const constantOf = (name: string, tree: ts.SourceFile): ts.Statement | undefined =>
  tree.statements
    .filter(ts.isVariableStatement)
    .find(({ declarationList }) => declarationList.declarations.some((one) => one.name.getText() === name));
