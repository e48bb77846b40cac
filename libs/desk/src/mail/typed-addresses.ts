import { addressesIn } from '#libs/mime';

/**
 * The addresses in what somebody typed or pasted: one to a line, or with commas or semicolons between them, also with names. What is
 * none stays as it is, so that whoever checks them can name it.
 */
export function typedAddresses(text: string): string[] {
  const found: string[] = [];
  let name = '';
  for (const part of text.split(/[,;\n]/)) {
    if (part.includes('@')) {
      // A name may have a comma in it: “Lima, Ana <ana@client.example>”.
      const isNamed = name !== '' && part.includes('<');
      if (name !== '' && !isNamed) found.push(name.trim());
      found.push(addressIn(isNamed ? `${name},${part}` : part));
      name = '';
    } else if (part.trim() !== '') name = name === '' ? part : `${name},${part}`;
  }
  return name === '' ? found : [...found, name.trim()];
}

const addressIn = (text: string): string => addressesIn(text)[0]?.address ?? text.trim();
