import type { Scope } from '#libs/entities';
import type { JsonSchema } from '#libs/payloads';
import type { Caller } from '../layers/edge/caller.js';

/** Hints for the client, which may ask the person before some calls. */
interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

interface ToolFor<Input extends object> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** All of them are needed. */
  readonly scopes: readonly Scope[];
  readonly annotations: ToolAnnotations;
  readonly input: new () => Input;
  /** The fields of `input` that are arguments. */
  readonly takes: readonly Extract<keyof Input, string>[];
  readonly output: JsonSchema;
  readonly run: (caller: Caller, input: Input) => Promise<object>;
}

export type Tool = Omit<ToolFor<object>, 'takes'> & { readonly takes: readonly string[] };

/** Checks that `run` takes the input of the tool. */
export const defineTool = <Input extends object>(tool: ToolFor<Input>): Tool => tool as unknown as Tool;
