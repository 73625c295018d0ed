-- People take single markers off the map, too, and put them back; then `layer` is the marker it is about.
alter table map_edits drop constraint map_edits_kind_check;
alter table map_edits add constraint map_edits_kind_check
    check (kind in ('showLayer', 'fadeLayer', 'sortLayers', 'removeLayer', 'closeExtract', 'showMarker'));
