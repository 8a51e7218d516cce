// docs/rules/*.md become HTML when the pages are built: the browser loads no parser, and one chunk a game and language.
import { marked } from 'marked';
import type { Plugin } from 'vite';

export function rules(): Plugin {
  return {
    name: 'rules',
    transform(text, id) {
      if (!id.endsWith('.md')) return null;
      return { code: `export default ${JSON.stringify(marked.parse(text, { async: false }))};`, map: null };
    },
  };
}
