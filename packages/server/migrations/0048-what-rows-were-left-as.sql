-- What a change or an event left its row as: for each column a digest with the salt of the leaf, which commits to all
-- of them. So `purser reconcile` can say which column of a live row was changed afterwards. Null: nothing was left, or
-- an older gateway stored it.
alter table changes add column state json;
alter table webhook_events add column state json;
