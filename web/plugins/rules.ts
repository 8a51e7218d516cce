// docs/rules/*.md become HTML when the pages are built: the browser loads no parser, and one chunk a game and language.
import { marked } from 'marked';
import type { Plugin } from 'vite';

export function rules(): Plugin {
  return {
    name: 'rules',
    transform(text, id) {
      if (!id.endsWith('.md')) return null;
      const html = marked
        .parse(text.replace(/^\*\[.*\]\(\w+\.\w+\.md\)\*$/m, ''), { async: false }) // the page knows its reader's language
        .replace(/<th([^>]*)><\/th>/g, '<td$1></td>') // an empty heading heads nothing
        .replaceAll('<pre>', '<pre tabindex="0">'); // what scrolls can have the focus
      return { code: `export default ${JSON.stringify(html)};`, map: null };
    },
  };
}
