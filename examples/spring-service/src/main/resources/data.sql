delete from orders;
delete from item;
insert into item values (1, 'lamp', 100), (2, 'chair', 3);
