import 'reflect-metadata';

const ABOUT = 'docs:about';

/** What a field means, for whoever reads the OpenAPI document. */
export const About =
  (words: string): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(ABOUT, words, target, property);

export const aboutOf = (target: object, property: string): string | undefined =>
  Reflect.getMetadata(ABOUT, target, property) as string | undefined;
