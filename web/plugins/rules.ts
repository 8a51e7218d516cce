// docs/rules/*.md become HTML when the pages are built: the browser loads no parser, and one chunk a game and language.
// A block ```board becomes a figure, named as tools/boards.py names what it shows.
import { createHash } from 'node:crypto';
import { marked } from 'marked';
import type { Plugin } from 'vite';

export function rules(): Plugin {
  return {
    name: 'rules',
    transform(text, id) {
      if (!id.endsWith('.md')) return null;
      const alone = text.replace(/^\*\[.*\]\(\w+\.\w+\.md\)\*$/m, ''); // the page knows its reader's language
      const html = marked
        .parse(alone.replace(/^```board\n(.*?)^```/gms, (_, block: string) => figure(block)), { async: false })
        .replace(/<th([^>]*)><\/th>/g, '<td$1></td>') // an empty heading heads nothing
        .replace(/<(pre|table)>/g, '<$1 tabindex="0">') // what scrolls can have the focus
        .replace(/(<p>(?:(?!<p>).)*?<\/p>)\s*(<figure[^>]*><\/figure>)/gs, '<div class="pair">$1$2</div>'); // an idea and its board
      return { code: `export default ${JSON.stringify(html)};`, map: null };
    },
  };
}

function figure(block: string): string {
  const lines = block.trim().split('\n');
  const said = lines.filter((line) => !line.startsWith('caption:')).join('\n');
  const name = createHash('sha256').update(said).digest('hex').slice(0, 12);
  const caption = lines.find((line) => line.startsWith('caption:'))?.slice(8).trim() ?? '';
  return `<figure data-board="${name}" data-caption="${caption.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"></figure>\n`;
}
