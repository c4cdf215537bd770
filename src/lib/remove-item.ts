/** Removes the first occurrence of an item from a list. Returns false if the list does not have the item. */
export function removeItem<Item>(items: Item[], item: Item): boolean {
  const at = items.indexOf(item);
  if (at < 0) return false;
  // `splice` returns a new list; most lists have one item.
  if (at === items.length - 1) items.pop();
  else items.splice(at, 1);
  return true;
}
